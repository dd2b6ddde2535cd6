#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

std::mt19937 rng(1);

// The judge's next line. Leaves when the game is over.
std::string read_line() {
    std::string line;
    if (!std::getline(std::cin, line) || line.compare(0, 4, "Quit") == 0) std::exit(0);
    return line;
}

// Answers. Without the flush of `endl` the judge would wait for ever.
void say(const std::string& text) { std::cout << text << std::endl; }

template <class T>
const T& any(const std::vector<T>& of) {
    return of[rng() % of.size()];
}

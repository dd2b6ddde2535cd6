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

// Returns the judge's next line. Exits when the game is over.
std::string read_line() {
    std::string line;
    if (!std::getline(std::cin, line) || line.compare(0, 4, "Quit") == 0) std::exit(0);
    return line;
}

// Sends an answer. `endl` also flushes the output; otherwise the judge would wait forever.
void say(const std::string& text) { std::cout << text << std::endl; }

template <class T>
const T& any(const std::vector<T>& of) {
    return of[rng() % of.size()];
}

// Returns the time limit in seconds: `--time S` if given (judges never pass it), or else the contest's limit.
double time_limit(int argc, char** argv, double usual) {
    for (int i = 1; i + 1 < argc; i++)
        if (std::string(argv[i]) == "--time") return std::atof(argv[i + 1]);
    return usual;
}

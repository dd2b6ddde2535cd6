// A bot for Entropy (CodeCup 2023) that plays random legal moves. To improve it, change the two `choose` functions.
//
// A cell is a row and a column from 0, written `Bc` for (1, 2); a colour is a digit '1' to '7'. Chaos places the drawn chip, and
// then Order slides a chip along its row or column over empty cells, or passes.

// {common}

// Time limit in seconds for all answers of a game together. A search must end in time.
double TIME = 30;

const int SIZE = 7;

using Cell = std::pair<int, int>;
using Slide = std::pair<Cell, Cell>;

std::map<Cell, char> board;

bool is_empty(Cell cell) {
    bool is_inside = cell.first >= 0 && cell.first < SIZE && cell.second >= 0 && cell.second < SIZE;
    return is_inside && board.count(cell) == 0;
}

// Returns the cell on which Chaos puts a chip: any empty cell.
Cell choose_placement(char colour) {
    (void)colour;
    std::vector<Cell> cells;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            if (is_empty({row, column})) cells.push_back({row, column});
    return any(cells);
}

// Returns Order's move, from one cell to another. A move from the cell that Chaos has just filled to itself is a pass.
Slide choose_slide(Cell placed) {
    const Cell ways[] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    std::vector<Slide> slides = {{placed, placed}};
    for (const auto& chip : board)
        for (Cell way : ways) {
            Cell to = {chip.first.first + way.first, chip.first.second + way.second};
            for (; is_empty(to); to.first += way.first, to.second += way.second) slides.push_back({chip.first, to});
        }
    return any(slides);
}

void slide(Slide move) {
    char colour = board[move.first];
    board.erase(move.first);
    board[move.second] = colour;
}

Cell read_cell(const std::string& text) { return {text.at(0) - 'A', text.at(1) - 'a'}; }

std::string write_cell(Cell cell) { return {char('A' + cell.first), char('a' + cell.second)}; }

// Reads a colour (`3`), answers with a cell (`Bc`), reads Order's move (`BcBg`), and so on.
void play_chaos() {
    while (true) {
        char colour = read_line().at(0);
        Cell cell = choose_placement(colour);
        board[cell] = colour;
        say(write_cell(cell));
        std::string move = read_line();
        slide({read_cell(move.substr(0, 2)), read_cell(move.substr(2))});
    }
}

// Reads a placement with its colour (`3Bc`), answers with a slide (`BcBg`) or a pass (`BcBc`), and so on.
void play_order(std::string line) {
    while (true) {
        Cell placed = read_cell(line.substr(1));
        board[placed] = line[0];
        Slide move = choose_slide(placed);
        slide(move);
        say(write_cell(move.first) + write_cell(move.second));
        line = read_line();
    }
}

int main(int argc, char** argv) {
    TIME = time_limit(argc, argv, TIME);
    std::string first = read_line();
    if (first.compare(0, 5, "Start") == 0) play_chaos();
    play_order(first);
}

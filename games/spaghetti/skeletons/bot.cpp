// A bot for Spaghetti (CodeCup 2022) that plays random legal moves. To improve it, change `choose`.
//
// A move is a row a to i, a column a to g and a tile: l (joins top with left and bottom with right), s (straight) or r (top with right,
// bottom with left): `cer`. Any tile may be placed on any empty cell. Two tiles are on the board from the start; Blue moves first.

// {common}

// Time limit in seconds for all answers of a game together. A search must end in time.
double TIME = 30;

// The tile of every filled cell.
std::map<std::string, char> board;

void lay(const std::string& move) { board[move.substr(0, 2)] = move.at(2); }

// Returns the move to play.
std::string choose(bool is_blue) {
    (void)is_blue;
    std::vector<std::string> moves;
    for (char row = 'a'; row <= 'i'; row++)
        for (char column = 'a'; column <= 'g'; column++)
            for (char tile : {'l', 's', 'r'})
                if (board.count({row, column}) == 0) moves.push_back({row, column, tile});
    return any(moves);
}

int main(int argc, char** argv) {
    TIME = time_limit(argc, argv, TIME);
    lay(read_line());
    lay(read_line());
    std::string line = read_line();
    bool is_blue = line.compare(0, 5, "Start") == 0;
    if (!is_blue) lay(line);
    while (true) {
        std::string move = choose(is_blue);
        lay(move);
        say(move);
        lay(read_line());
    }
}

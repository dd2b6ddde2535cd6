// A bot for Ultimate Tic-Tac-Toe (CodinGame) that plays random legal moves. To improve it, change `choose`.
//
// A move is a row and a column, 0 to 8: `4 4` is the centre. In each turn the judge sends a line with the opponent's last move, or `-1 -1`,
// a line with the number of legal moves, and a line for each legal move.

// {common}

// Time limit in seconds for each answer; the first answer has 1 s. A search must end in time.
double TIME = 0.1;

// Returns the move to play, one of the legal moves.
std::string choose(const std::string& last, const std::vector<std::string>& moves) {
    (void)last;
    return any(moves);
}

int main(int argc, char** argv) {
    TIME = time_limit(argc, argv, TIME);
    while (true) {
        std::string last = read_line();
        // CodinGame never sends this line: `contender match` sends it before an opening.
        if (last.compare(0, 7, "opening") == 0) last = read_line();
        std::vector<std::string> moves(std::stoi(read_line()));
        for (std::string& move : moves) move = read_line();
        say(choose(last, moves));
    }
}

// A bot for Box (CodeCup 2025) that plays random legal moves. To improve it, change `choose`.
//
// A placement is the row A to P and the column a to t of the tile's top-left corner, then h (horizontal, 2 x 6 cells) or v (vertical,
// 6 x 2): `Ikv`. The opponent's moves also contain the tile: `Ik364521v`. A tile is the six colours of its upper row; the lower row has
// the reverse order.

// {common}

// Time limit in seconds for all answers of a game together. A search must end in time.
double TIME = 30;

const int ROWS = 16, COLUMNS = 20;

using Cell = std::pair<int, int>;

struct Placement {
    int row, column;
    char way;
};

// The colour of every filled cell.
std::map<Cell, char> board;

std::vector<Cell> area(Placement place) {
    int height = place.way == 'h' ? 2 : 6, width = place.way == 'h' ? 6 : 2;
    std::vector<Cell> cells;
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++) cells.push_back({place.row + r, place.column + c});
    return cells;
}

// Returns whether the placement is legal: it covers at most four filled cells, and if it covers none, it touches one.
bool is_legal(Placement place) {
    const Cell ways[] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    int covered = 0;
    bool touches = false;
    for (Cell cell : area(place)) {
        if (cell.first >= ROWS || cell.second >= COLUMNS) return false;
        covered += int(board.count(cell));
        for (Cell way : ways) touches |= board.count({cell.first + way.first, cell.second + way.second}) > 0;
    }
    return covered <= 4 && (covered > 0 || touches);
}

// Returns the placement to play; `colour` is the bot's own colour, which scores.
Placement choose(char colour, const std::string& tile) {
    (void)colour, (void)tile;
    std::vector<Placement> places;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            for (char way : {'h', 'v'})
                if (is_legal({row, column, way})) places.push_back({row, column, way});
    return any(places);
}

// Puts a tile on the board and colours its cells.
void lay(Placement place, const std::string& tile) {
    for (int at = 0; at < 6; at++) {
        char upper = tile.at(at), lower = tile.at(5 - at);
        if (place.way == 'h') {
            board[{place.row, place.column + at}] = upper;
            board[{place.row + 1, place.column + at}] = lower;
        } else {
            board[{place.row + at, place.column}] = lower;
            board[{place.row + at, place.column + 1}] = upper;
        }
    }
}

// Plays a whole move, which contains the tile: `Ik364521v`.
void lay_move(const std::string& move) { lay({move.at(0) - 'A', move.at(1) - 'a', move.at(8)}, move.substr(2, 6)); }

int main(int argc, char** argv) {
    TIME = time_limit(argc, argv, TIME);
    char colour = read_line().at(0);
    lay_move(read_line());
    while (true) {
        std::string line = read_line();
        if (line.compare(0, 5, "Start") != 0) lay_move(line);
        std::string tile = read_line();
        Placement place = choose(colour, tile);
        lay(place, tile);
        say({char('A' + place.row), char('a' + place.column), place.way});
    }
}

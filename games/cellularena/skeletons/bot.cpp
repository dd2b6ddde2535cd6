// A bot for Cellularena (CodinGame Winter Challenge 2024) that grows basic organs at random. To improve it, change `choose`.
//
// First the judge sends the width and the height. In each turn it sends the number of cells that are not empty, and a line for each:
// `x y type owner id direction parent root`. The owner is 1 for the bot, 0 for the opponent, and -1 for walls and sources. Then come
// the bot's stocks of proteins A to D, the opponent's stocks, and the number of the bot's organisms.
//
// The bot answers with a line for each of its organisms: `GROW id x y TYPE direction`, `SPORE id x y` or `WAIT`. `id` is the organ from
// which the new one grows. TYPE is BASIC, HARVESTER, TENTACLE or SPORER, and the direction is N, E, S or W.

// {common}

// Time limit in seconds for each answer; the first answer has 1 s. A search must end in time.
double TIME = 0.05;

using Cell = std::pair<int, int>;

const std::map<char, Cell> WAYS = {{'N', {0, -1}}, {'E', {1, 0}}, {'S', {0, 1}}, {'W', {-1, 0}}};

struct Entity {
    int x, y;
    std::string kind;  // WALL, A to D, ROOT, BASIC, TENTACLE, HARVESTER or SPORER
    int owner;         // 1: the bot, 0: the opponent, -1: none
    int id;
    char dir;
    int parent, root;
};

// Returns one order for each of the bot's organisms, in the order of their roots.
std::vector<std::string> choose(int width, int height, const std::vector<Entity>& entities, int stock[4]) {
    // Cells that cannot be grown onto: walls, organs, and cells that the opponent's tentacles guard.
    std::set<Cell> taken;
    std::set<int> roots;
    for (const Entity& entity : entities) {
        if (entity.kind.size() > 1) taken.insert({entity.x, entity.y});
        if (entity.kind == "TENTACLE" && entity.owner == 0) {
            Cell way = WAYS.at(entity.dir);
            taken.insert({entity.x + way.first, entity.y + way.second});
        }
        if (entity.owner == 1) roots.insert(entity.root);
    }
    std::vector<std::string> orders;
    for (int root : roots) {
        std::vector<std::pair<int, Cell>> growths;
        for (const Entity& organ : entities) {
            if (organ.owner != 1 || organ.root != root) continue;
            for (const auto& way : WAYS) {
                Cell to = {organ.x + way.second.first, organ.y + way.second.second};
                bool is_inside = to.first >= 0 && to.first < width && to.second >= 0 && to.second < height;
                if (is_inside && taken.count(to) == 0) growths.push_back({organ.id, to});
            }
        }
        // A basic organ costs one A.
        if (growths.empty() || stock[0] == 0) {
            orders.push_back("WAIT");
            continue;
        }
        auto growth = any(growths);
        stock[0]--;
        taken.insert(growth.second);
        std::ostringstream order;
        order << "GROW " << growth.first << " " << growth.second.first << " " << growth.second.second << " BASIC";
        orders.push_back(order.str());
    }
    return orders;
}

int main(int argc, char** argv) {
    TIME = time_limit(argc, argv, TIME);
    int width, height;
    std::istringstream(read_line()) >> width >> height;
    while (true) {
        std::vector<Entity> entities(std::stoi(read_line()));
        for (Entity& of : entities)
            std::istringstream(read_line()) >> of.x >> of.y >> of.kind >> of.owner >> of.id >> of.dir >> of.parent >> of.root;
        int stock[4];
        std::istringstream(read_line()) >> stock[0] >> stock[1] >> stock[2] >> stock[3];
        read_line();  // the opponent's stock
        read_line();  // the number of answers
        for (const std::string& order : choose(width, height, entities, stock)) say(order);
    }
}

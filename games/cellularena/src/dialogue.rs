//! The bot's side of the contest's protocol.

use crate::notation::{numbers, orders};
use crate::{Action, Cell, Dir, Kind, Organ, Protein, State, Stock};
use contender_game::{excerpt, Bot, Clock, Listener, Player, Reply};

/// What the judge's lines mean to a bot: the size of the board, then in every turn the whole position; the answer has one line for each
/// of the bot's organisms.
///
/// The input names neither the seat nor the turn: the organ with the lowest number at the start is player 0's root, and turns are
/// counted. A state is built from every position, so [`Bot::observe`] is not called: what the opponent did is seen in the position
/// only. [`State::last_id`] is the highest number seen so far, which organs that died at once may exceed.
#[derive(Default)]
pub struct Reader {
    stage: Stage,
    size: [usize; 2],
    turns: u8,
    last_id: u16,
    seat: Option<Player>,
    position: Position,
}

/// What the next line is.
#[derive(Clone, Copy, Default, Debug)]
enum Stage {
    #[default]
    Size,
    EntityCount,
    /// So many lines of entities are still to come.
    Entities(usize),
    OwnStock,
    EnemyStock,
    ActionCount,
}

/// The lines of one turn so far.
#[derive(Default)]
struct Position {
    terrain: Vec<(Cell, Terrain)>,
    /// Organs with `Player::Zero` for own ones: whose seat that is may not be known yet.
    organs: Vec<Organ>,
    /// Own and enemy's.
    stock: [Stock; 2],
}

#[derive(Clone, Copy)]
enum Terrain {
    Wall,
    Source(Protein),
}

impl Reader {
    fn answer(
        &mut self,
        line: &str,
        bot: &mut dyn Bot<State, Vec<Action>>,
        clock: &Clock,
    ) -> Result<String, String> {
        let [required] = numbers::<usize, 1>(line)?;
        let position = std::mem::take(&mut self.position);
        let (state, player) = self.build(position)?;
        let roots = state.roots(player).len() as usize;
        if required != roots {
            return Err(format!("{required} actions are wanted of {roots} own organisms"));
        }
        let actions = bot.choose(&state, player, clock);
        self.turns = self.turns.saturating_add(1);
        self.last_id = state.last_id();
        Ok(orders(&state, &actions, required).join("\n"))
    }

    fn build(&mut self, position: Position) -> Result<(State, Player), String> {
        let [width, height] = self.size;
        let mut state = State::empty(width, height)?;
        for (cell, terrain) in position.terrain {
            match terrain {
                Terrain::Wall => state.build_wall(cell)?,
                Terrain::Source(protein) => state.put_source(cell, protein)?,
            }
        }
        let first = position.organs.iter().min_by_key(|organ| organ.id).ok_or("there is no organ")?;
        // With own organs read as player 0's, the owner of the first root is the own seat.
        let seat = *self.seat.get_or_insert(first.owner);
        let owner = |read: Player| if seat == Player::Zero { read } else { read.other() };
        let organs = position.organs.into_iter().map(|organ| Organ { owner: owner(organ.owner), ..organ });
        state.put_organs(organs.collect())?;
        for read in Player::BOTH {
            state.set_stock(owner(read), position.stock[read])?;
        }
        state.raise_last_id(self.last_id);
        state.set_turns(self.turns);
        Ok((state, seat))
    }

    fn entity(&mut self, line: &str) -> Result<(), String> {
        let wrong = || format!("`{}` is not an entity: x y type owner id dir parent root", excerpt(line));
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[x, y, content, owner, id, dir, parent, root] = &words[..] else { return Err(wrong()) };
        let number = |word: &str| word.parse::<u16>().map_err(|_| wrong());
        let (x, y) = (usize::from(number(x)?), usize::from(number(y)?));
        if x >= self.size[0] || y >= self.size[1] {
            return Err(format!("({x}, {y}) is not on the board"));
        }
        let cell = Cell::new(x, y);
        let source = Protein::ALL.into_iter().find(|protein| protein.letter().to_string() == content);
        if content == "WALL" {
            self.position.terrain.push((cell, Terrain::Wall));
        } else if let Some(protein) = source {
            self.position.terrain.push((cell, Terrain::Source(protein)));
        } else {
            self.position.organs.push(Organ {
                id: number(id)?,
                owner: *[Player::One, Player::Zero].get(usize::from(number(owner)?)).ok_or_else(wrong)?,
                cell,
                kind: Kind::from_word(content).ok_or_else(wrong)?,
                dir: Dir::ALL
                    .into_iter()
                    .find(|known| known.letter().to_string() == dir)
                    .ok_or_else(wrong)?,
                parent: number(parent)?,
                root: number(root)?,
            });
        }
        Ok(())
    }
}

impl Listener for Reader {
    type State = State;
    type Move = Vec<Action>;

    fn line(
        &mut self,
        line: &str,
        bot: &mut dyn Bot<State, Vec<Action>>,
        clock: &Clock,
    ) -> Result<Reply, String> {
        self.stage = match self.stage {
            Stage::Size => {
                self.size = numbers(line)?;
                State::empty(self.size[0], self.size[1])?;
                Stage::EntityCount
            }
            Stage::EntityCount => {
                let [count] = numbers::<usize, 1>(line)?;
                if count > self.size[0] * self.size[1] {
                    return Err(format!("{count} entities are more than the board has cells"));
                }
                if count == 0 {
                    Stage::OwnStock
                } else {
                    Stage::Entities(count)
                }
            }
            Stage::Entities(left) => {
                self.entity(line)?;
                if left == 1 {
                    Stage::OwnStock
                } else {
                    Stage::Entities(left - 1)
                }
            }
            Stage::OwnStock => {
                self.position.stock[0] = numbers(line)?;
                Stage::EnemyStock
            }
            Stage::EnemyStock => {
                self.position.stock[1] = numbers(line)?;
                Stage::ActionCount
            }
            Stage::ActionCount => {
                let answer = self.answer(line, bot, clock)?;
                self.stage = Stage::EntityCount;
                return Ok(Reply::Say(answer));
            }
        };
        Ok(Reply::Nothing)
    }
}

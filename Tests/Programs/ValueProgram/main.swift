import Magical

enum Rank: Int, Magical {
  case novice, master
}

print(try Rank.master.storedValue, try Rank(storedValue: 0))

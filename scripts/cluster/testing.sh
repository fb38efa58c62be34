# shellcheck shell=bash
# What tests of clusters are written in.
# Sourced, never run.

cluster() {
  local dir=$1 command=$2
  shift 2
  scripts/storm-cluster "$command" --dir "$dir" "$@"
}

# Field 1 of the lines of ps whose fields 2, 3 ... are these.
ids() {
  local dir=$1
  shift
  cluster "$dir" ps | awk -v want="$*" '{ id = $1; $1 = ""; if (index($0 " ", " " want " ") == 1) print id }'
}

# Whether a daemon runs: FOLDER DAEMON.
running() { [ -n "$(ids "$1" "$2" daemon)" ]; }

passed() { say "  passed: $*"; }

broken() { fail "FAILED: $*"; }

# Waits until a command succeeds: SECONDS WHAT COMMAND...
await() {
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ "$SECONDS" -lt "$limit" ] || broken "$what did not come"
    sleep 0.3
  done
  passed "$what"
}

contains() { grep -q -- "$2" "$1" 2>/dev/null; }

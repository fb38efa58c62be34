# shellcheck shell=bash
# The cluster's folder: everything it writes lies there, and its absolute path is what tells it from other clusters.
# Sourced, never run.

folder_of_name() {
  [[ $1 =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || fail "a cluster's name has letters, digits, '.', '_' and '-', not '$1'"
  dir="$root/target/storm-cluster/$1"
}

folder_of_dir() {
  dir=$(realpath -m -- "$1")
  [ "$dir" != / ] || fail "--dir needs a folder of its own"
}

# What was asked of up, for the commands after it.
remember() {
  local name
  for name in "$@"; do
    printf '%s=%q\n' "$name" "${!name}"
  done >>"$dir/cluster"
}

# Reads what up remembered; fails where there is no cluster.
recall() {
  [ -f "$dir/cluster" ] || fail "there is no cluster in $dir; scripts/storm-cluster up makes one"
  # shellcheck source=/dev/null
  . "$dir/cluster"
}

# One line of a cluster's coming up or going down, with the seconds since it began.
tell() {
  local micros=$((${EPOCHREALTIME/[.,]/} - began))
  printf '%3d.%d s  %s\n' $((micros / 1000000)) $((micros / 100000 % 10)) "$*"
}

clock_starts() { began=${EPOCHREALTIME/[.,]/}; }

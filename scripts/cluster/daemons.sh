# shellcheck shell=bash
# The daemons of a cluster by name: zookeeper, nimbus-1, supervisor-1 and on.
# Sourced, never run.

# Process ids of the daemons that this run of the script started, by name.
declare -A started=()

daemon_names() {
  local number
  echo zookeeper
  for ((number = 1; number <= nimbuses; number++)); do
    echo "nimbus-$number"
  done
  supervisor_names
}

supervisor_names() {
  local number
  for ((number = 1; number <= supervisors; number++)); do
    echo "supervisor-$number"
  done
}

is_daemon() {
  local names
  names=" $(daemon_names | tr '\n' ' ')"
  [[ $names == *" $1 "* ]]
}

daemon_start() {
  local name=$1 main options
  case $name in
    zookeeper)
      main=org.apache.storm.command.DevZookeeper
      options='-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData'
      ;;
    nimbus-*)
      main=org.apache.storm.daemon.nimbus.Nimbus
      options=$(conf_value "$name" nimbus.childopts)
      ;;
    supervisor-*)
      main=org.apache.storm.daemon.supervisor.Supervisor
      options=$(conf_value "$name" supervisor.childopts)
      ;;
  esac
  read -ra options <<<"$options"
  start_process "$name" "$main" "${options[@]}"
}

# Starts again what died: for a cluster that was broken on purpose.
start() {
  recall
  [ "$#" -gt 0 ] || fail "start takes daemons: $(daemon_names | tr '\n' ' ')"
  local name
  for name in "$@"; do
    [ "$name" != zookeeper ] || fail "a ZooKeeper that ended has lost the cluster: down, then up"
    is_daemon "$name" || fail "there is no $name; there are $(daemon_names | tr '\n' ' ')"
    [ -z "$(daemon_id "$name")" ] || fail "$name runs already, process $(daemon_id "$name")"
    # Storm looks whether the port is free on every address before it takes it on one.
    [[ $name != nimbus-* || $# -gt 1 || -z $(daemon_id nimbus-1)$(daemon_id nimbus-2) ]] ||
      fail "no Nimbus can be started beside another that runs: Storm takes their common port for used"
  done
  for name in "$@"; do
    daemon_start "$name"
    say "started $name, process ${started[$name]}"
  done
}

# The last lines of what a daemon wrote, the file that says more.
daemon_tail() {
  local file
  for file in "$dir/logs/$1.log" "$dir/logs/$1.out"; do
    if [ -s "$file" ]; then
      say "--- the last lines of $file"
      tail -n 15 "$file"
    fi
  done
}

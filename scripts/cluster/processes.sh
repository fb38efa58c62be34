# shellcheck shell=bash
# The processes of a cluster. Each has the cluster's folder and its daemon's name in its environment, and workers
# inherit both from their supervisor. So they are found whatever was killed or lost before, and an id that the kernel
# gave to somebody else is never taken for one of them.
# Sourced, never run.

# Ids of the cluster's processes; of one daemon and its workers where one is named.
process_ids() {
  local found
  found=$(grep -lzxF "BALLAST_CLUSTER_DIR=$dir" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\n') || true
  if [ "$#" -eq 0 ]; then
    printf '%s' "$found"
    return 0
  fi
  local id
  for id in $found; do
    if grep -qzxF "BALLAST_DAEMON=$1" "/proc/$id/environ" 2>/dev/null; then
      printf '%s\n' "$id"
    fi
  done
}

# The id of a daemon's own process, nothing if it does not run.
daemon_id() {
  local id
  for id in $(process_ids "$1"); do
    if [ "$(role "$id")" = daemon ]; then
      printf '%s' "$id"
    fi
  done
}

# daemon, log-writer (the parent of a worker) or worker.
role() {
  local words
  mapfile -d '' -t words 2>/dev/null <"/proc/$1/cmdline" || return 0
  case " ${words[*]} " in
    *' org.apache.storm.LogWriter '*) printf log-writer ;;
    *' org.apache.storm.daemon.worker.Worker '*) printf worker ;;
    *) printf daemon ;;
  esac
}

# A line a process: PID DAEMON ROLE, and for workers TOPOLOGY PORT.
list_processes() {
  local id name kind words
  for id in $(process_ids); do
    name=$(tr '\0' '\n' 2>/dev/null <"/proc/$id/environ" | sed -n 's/^BALLAST_DAEMON=//p')
    kind=$(role "$id")
    if [ -z "$name" ] || [ -z "$kind" ]; then
      continue # gone between two looks
    fi
    if [ "$kind" = daemon ]; then
      printf '%s %s %s\n' "$id" "$name" "$kind"
    else
      # A worker's command ends with: Worker TOPOLOGY SUPERVISOR SUPERVISOR-PORT PORT WORKER
      mapfile -d '' -t words 2>/dev/null <"/proc/$id/cmdline" || continue
      [ "${#words[@]}" -ge 5 ] || continue
      printf '%s %s %s %s %s\n' "$id" "$name" "$kind" "${words[-5]}" "${words[-2]}"
    fi
  done | sort -k 2,2V -k 3,3 -k 4,4 -k 5,5n
}

# Starts one daemon: NAME MAIN-CLASS, then options of its JVM.
start_process() {
  local name=$1 main=$2
  shift 2
  local class_path="$dir/home/lib/*:$dir/home/extlib/*:$dir/home/extlib-daemon/*:$dir/conf/$name"
  (
    # The lock on the choice of ports is the script's alone.
    [ -z "${lock:-}" ] || exec {lock}<&-
    cgroup_enter "$name"
    cd "$dir"
    trap '' HUP
    # A session of its own: a terminal that is closed, or an interrupt typed there, is not for the cluster.
    exec setsid env "BALLAST_CLUSTER_DIR=$dir" "BALLAST_DAEMON=$name" "BALLAST_CLUSTER_PORTS=$first_port-$last_port" \
      "STORM_CONF_DIR=$dir/conf/$name" \
      java "$@" "-Dstorm.home=$dir/home" "-Dstorm.log.dir=$dir/logs" -Dstorm.conf.file=storm.yaml \
      "-Dlogfile.name=$name.log" "-Ddaemon.name=$name" "-Djava.io.tmpdir=$dir/tmp" -Djava.net.preferIPv4Stack=true \
      "-Dlog4j2.configurationFile=$dir/home/log4j2/cluster.xml" -cp "$class_path" "$main"
  ) </dev/null >>"$dir/logs/$name.out" 2>&1 &
  started["$name"]=$!
}

# Those this run of the script has started, which for a moment do not carry the marks yet.
starting_ids() {
  local id
  for id in "${started[@]}"; do
    if kill -0 "$id" 2>/dev/null; then
      printf '\n%s' "$id"
    fi
  done
}

# Ends every process of the cluster: asks first, and insists after two seconds, again for whatever a supervisor started
# meanwhile.
end_processes() {
  local signal=TERM tries id ids
  for ((tries = 0; tries < 150; tries++)); do
    ids=$(process_ids; starting_ids)
    if [ -z "$ids" ]; then
      return 0
    fi
    if [ "$tries" -ge 20 ]; then
      signal=KILL
    fi
    if [ "$tries" -eq 0 ] || [ "$signal" = KILL ]; then
      for id in $ids; do
        kill -s "$signal" "$id" 2>/dev/null || true
      done
    fi
    sleep 0.1
  done
  fail "these processes of $dir do not end: ${ids//$'\n'/ }"
}

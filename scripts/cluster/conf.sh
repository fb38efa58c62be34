# shellcheck shell=bash
# storm.yaml of the clients and of each daemon: the project's own lines, what this cluster is, what was set. A key that
# is given twice holds as given last.
# Sourced, never run.

# A line of storm.yaml from KEY=VALUE.
setting() {
  [[ $1 =~ ^[A-Za-z][A-Za-z0-9._-]*=.+ ]] || fail "--set takes KEY=VALUE, such as ballast.mode=apply, not '$1'"
  printf '%s: %s' "${1%%=*}" "${1#*=}"
}

scheduler_class() {
  case $1 in
    ballast) printf io.ballast.storm.BallastScheduler ;;
    default) printf org.apache.storm.scheduler.DefaultScheduler ;;
    even) printf org.apache.storm.scheduler.EvenScheduler ;;
    resource-aware) printf org.apache.storm.scheduler.resource.ResourceAwareScheduler ;;
    *.*) printf '%s' "$1" ;;
    *) fail "unknown scheduler $1; there are ballast, default, even, resource-aware, or a class with its package" ;;
  esac
}

# The order of the cluster's ports: ZooKeeper, Nimbus, telemetry, then each supervisor's own and its slots, then the
# spare ones.
zookeeper_port() { echo "$first_port"; }
nimbus_port() { echo $((first_port + 1)); }
telemetry_port() { echo $((first_port + 2)); }
supervisor_port() { echo $((first_port + 3 + ($1 - 1) * (slots + 1))); }
ports_needed() { echo $((3 + supervisors * (slots + 1) + spare_ports)); }

nimbus_host() { echo "127.0.0.$1"; }
# From .11 on; 200 of them fit.
supervisor_host() { echo "127.0.0.$((10 + $1))"; }

# Cores of a supervisor by its number.
supervisor_cores() {
  local each
  IFS=, read -ra each <<<"$cores"
  echo "${each[$1 - 1]:-${each[-1]}}"
}

# Writes every storm.yaml of the cluster.
conf_write() {
  local number shared
  shared=$(conf_shared)
  conf_file client "$shared"
  conf_file zookeeper "$shared" "dev.zookeeper.path: $dir/zookeeper"
  for ((number = 1; number <= nimbuses; number++)); do
    conf_file "nimbus-$number" "$shared" "$(conf_nimbus "$number")"
  done
  for ((number = 1; number <= supervisors; number++)); do
    conf_file "supervisor-$number" "$shared" "$(conf_supervisor "$number")"
  done
}

# Lines that all have; values of --set come last, with ports put in.
conf_shared() {
  local seeds number line port=$((last_port - spare_ports))
  seeds=$(nimbus_host 1)
  for ((number = 2; number <= nimbuses; number++)); do
    seeds+=", $(nimbus_host "$number")"
  done
  grep -v '^#' "$root/storm-conf/cluster/storm.yaml" | grep .
  cat <<YAML
storm.zookeeper.servers: [127.0.0.1]
storm.zookeeper.port: $(zookeeper_port)
nimbus.seeds: [$seeds]
nimbus.thrift.port: $(nimbus_port)
storm.scheduler: $(scheduler_class "$scheduler")
ballast.telemetry.port: $(telemetry_port)
storm.local.dir: $dir/local/client
YAML
  for line in "${settings[@]}"; do
    while [[ $line == *'{free-port}'* ]]; do
      port=$((port + 1))
      [ "$port" -le "$last_port" ] || fail "--set has more than $spare_ports times {free-port}"
      line=${line/'{free-port}'/$port}
    done
    printf '%s\n' "$line"
  done
}

conf_nimbus() {
  cat <<YAML
storm.local.hostname: $(nimbus_host "$1")
ballast.telemetry.host: $(nimbus_host "$1")
storm.local.dir: $dir/local/nimbus-$1
YAML
  if [ "$nimbuses" -gt 1 ]; then
    printf 'storm.thrift.transport: io.ballast.storm.cluster.HostTransport\n'
    printf 'ballast.telemetry.host: %s\n' "$(nimbus_host "$1")"
  fi
}

conf_supervisor() {
  local thrift first last
  thrift=$(supervisor_port "$1")
  first=$((thrift + 1)) last=$((thrift + slots))
  cat <<YAML
storm.local.hostname: $(supervisor_host "$1")
storm.local.dir: $dir/local/supervisor-$1
supervisor.thrift.port: $thrift
supervisor.slots.ports: [$(seq -s ', ' "$first" "$last")]
supervisor.cpu.capacity: $(awk -v cores="$(supervisor_cores "$1")" 'BEGIN { printf "%.1f", cores * 100 }')
YAML
}

# One storm.yaml from lines of which the last of a key holds: NAME LINES...
conf_file() {
  local folder="$dir/conf/$1"
  shift
  mkdir -p "$folder"
  printf '%s\n' "$@" | awk -F ': ' '
    !($1 in line) { order[++keys] = $1 }
    { line[$1] = $0 }
    END { for (key = 1; key <= keys; key++) print line[order[key]] }' >"$folder/storm.yaml"
}

# A text value of a daemon's storm.yaml: DAEMON KEY.
conf_value() { sed -n "s/^${2//./\\.}: \"\\{0,1\\}\\([^\"]*\\)\"\\{0,1\\}\$/\\1/p" "$dir/conf/$1/storm.yaml"; }

# shellcheck shell=bash
# Clients of a running cluster: what submits, kills and rebalances topologies.
# Sourced, never run.

# A JVM with the clients' storm.yaml; a class and its arguments follow.
client_set() {
  client=(java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData "-Djava.io.tmpdir=$dir/tmp"
    "-Dstorm.home=$dir/home" "-Dstorm.log.dir=$dir/logs" -Dstorm.conf.file=storm.yaml -Djava.net.preferIPv4Stack=true
    "-Dlog4j2.configurationFile=$dir/home/log4j2/client.xml" "$@"
    -cp "$dir/home/lib/*:$dir/home/extlib/*:$dir/home/commands:$dir/conf/client")
}

submit() {
  recall
  local topology=${1:-} class_path
  [ -n "$topology" ] || fail "submit takes a jar and a class, or 'flights'"
  shift
  if [ "$topology" = flights ]; then
    home_flights
    topology="$dir/tmp/flights.jar"
    set -- io.ballast.storm.demo.SubmitFlights "$@"
  fi
  [ -f "$topology" ] || fail "there is no jar $topology"
  [ "$#" -gt 0 ] || fail "submit $topology needs the class that submits the topology"
  client_set "-Dstorm.jar=$(realpath "$topology")" -Dballast.log.level=warn
  class_path=${client[-1]}:$(realpath "$topology")
  "${client[@]:0:${#client[@]}-1}" "$class_path" "$@"
  say "submitted; scripts/storm-cluster status shows where it runs"
}

# The demo's topology as a jar.
home_flights() {
  clock_starts
  home_prepare
  jar --create --file "$dir/tmp/flights.jar" -C "$test_classes" io/ballast/storm/demo -C "$test_classes" nycflights13
}

kill_topology() {
  [ "$#" -gt 0 ] || fail "kill takes a topology's name, and -w SECS"
  run_client org.apache.storm.command.KillTopology "$@"
}

run_client() {
  recall
  [ "$#" -gt 0 ] || fail "run takes a class, such as org.apache.storm.command.Rebalance"
  client_set -Dballast.log.level=info
  "${client[@]}" "$@"
}

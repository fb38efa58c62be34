# shellcheck shell=bash
# The Storm home, from Maven artifacts. Its libraries are the same for every cluster and are fetched once.
# Sourced, never run.

home_pom="$root/storm-conf/cluster/pom.xml"
test_classes="$shim/target/test-classes"

# What all clusters of this tree share, made by one at a time.
home_prepare() {
  local build
  exec {build}<"$shim"
  flock "$build"
  home_libraries
  home_commands
  exec {build}<&-
}

# Sets libraries to the folder of lib/ and lib-worker/, named by the content of the pom they come from.
home_libraries() {
  local storm
  storm=$(sed -n 's:.*<storm.version>\(.*\)</storm.version>.*:\1:p' "$shim/pom.xml")
  libraries="$root/target/storm-home/$storm-$(cksum <"$home_pom" | cut -d ' ' -f 1)"
  if [ -d "$libraries" ]; then
    return 0
  fi
  tell "fetching Storm $storm (once)"
  local fresh="$libraries.fetching"
  rm -rf "$fresh"
  home_fetch daemons "$fresh/lib" "$storm"
  home_fetch workers "$fresh/lib-worker" "$storm"
  # One that was interrupted leaves nothing that looks whole.
  mv -T "$fresh" "$libraries"
}

home_fetch() {
  mvn -B -q -f "$home_pom" -P "$1" "-Dstorm.version=$3" dependency:copy-dependencies -DincludeScope=runtime \
    "-DoutputDirectory=$2" || fail "Maven could not fetch Storm's artifacts; its own lines above say which"
}

# The commands in Java, compiled when they are missing or older than their sources.
home_commands() {
  local newest="$test_classes/io/ballast/storm/cluster/AwaitCluster.class"
  local sources="$shim/src/test/java/io/ballast/storm"
  if [ -f "$newest" ] && [ -z "$(find "$sources/cluster" "$sources/demo" -newer "$newest" -name '*.java')" ]; then
    return 0
  fi
  tell 'compiling the commands (once)'
  maven test-compile
  # Maven leaves classes alone whose sources did not change.
  touch "$newest"
}

# Lays out the home of one cluster: libraries by link, what an operator installs by copy, so that a build meanwhile
# takes nothing away from running daemons.
home_make() {
  local home="$dir/home"
  mkdir -p "$home/extlib" "$home/extlib-daemon" "$home/bin" "$home/commands"
  (cd "$test_classes" && cp -r --parents io/ballast/storm/cluster "$home/commands/")
  ln -s "$libraries/lib" "$libraries/lib-worker" "$home/"
  cp -r "$root/storm-conf/cluster/log4j2" "$home/"
  if [ -n "$ballast_jar" ]; then
    cp "$ballast_jar" "$home/extlib-daemon/"
  fi
  if [ -n "$hook_jar" ]; then
    cp "$hook_jar" "$home/extlib/"
  fi
  if [ "$nimbuses" -gt 1 ]; then
    # For workers too: they inherit the transport with the topology's configuration, and ask Nimbus who leads.
    jar --create --file "$home/extlib/ballast-cluster.jar" -C "$home/commands" \
      io/ballast/storm/cluster/HostTransport.class
  fi
}

# Sets ballast_jar and hook_jar where they were not given: what was built here, if it was.
home_jars() {
  local built="$root/dist/ballast-storm-$version.jar" hook="$root/dist/ballast-hook-$version.jar"
  if [ -z "$ballast_jar" ] && [ -f "$built" ]; then
    ballast_jar=$built
  fi
  if [ -z "$hook_jar" ] && [ -f "$hook" ]; then
    hook_jar=$hook
  fi
  [ -z "$ballast_jar" ] || [ -f "$ballast_jar" ] || fail "there is no $ballast_jar"
  [ -z "$hook_jar" ] || [ -f "$hook_jar" ] || fail "there is no $hook_jar"
  if "$telemetry" && [ -z "$hook_jar" ]; then
    fail "--telemetry needs dist/$(basename "$hook"). Build it with scripts/build-jar"
  fi
  if [ "$scheduler" = ballast ] && [ -z "$ballast_jar" ]; then
    fail "there is no dist/$(basename "$built"). Build it with scripts/build-jar, or take --scheduler default"
  fi
}

# shellcheck shell=bash
# What the scripts share: where things are, how they speak, how a machine is set up.
# Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
shim="$root/java-shim"
version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' "$shim/pom.xml" | head -n 1)
# shellcheck disable=SC2034 # read by the scripts that source this
jar="$shim/target/ballast-storm-$version.jar"

# What the build needs from Debian, beside Rust, a JDK and Maven: CBC's headers and pkg-config files, a C compiler
# (cargo links with it), and readelf (the jar's own check of its libraries).
build_packages=(coinor-libcbc-dev pkg-config gcc libc6-dev binutils)

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

say() { printf '%s\n' "$*"; }

step() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Packages of the arguments that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    if [ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)" != 'install ok installed' ]; then
      printf '%s\n' "$package"
    fi
  done
}

# Installs what is missing of the arguments: as root or through sudo; else says what to type and ends.
need_packages() {
  command -v dpkg-query >/dev/null ||
    fail "this is not Debian or Ubuntu; install what these packages hold, then remove this check: $*"
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    # sudo may ask for a password only where somebody can type one.
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      as_root=(sudo)
    else
      fail "missing packages, and no right to install them. Type: sudo apt-get install ${missing[*]}"
    fi
  fi
  step "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq || say "apt-get update failed; trying with the lists there are"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
    fail "could not install ${missing[*]}; install them by hand and start again"
}

need_rust() {
  if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
  fi
  command -v cargo >/dev/null || fail "no cargo. Install Rust 1.95 or newer with rustup, then start again"
}

need_java() {
  command -v javac >/dev/null || fail "no JDK. Type: apt-get install openjdk-17-jdk-headless (or any newer JDK)"
  local major
  major=$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
  [ "${major:-0}" -ge 17 ] || fail "the JDK is version ${major:-unknown}, and 17 or newer is needed"
  command -v mvn >/dev/null || fail "no Maven. Type: apt-get install maven"
}

# Sets up the machine for a build.
set_up() {
  need_rust
  need_java
  need_packages "${build_packages[@]}"
}

# Maven in the shim's module, without questions; downloads are shown where somebody watches.
maven() {
  local quiet=(-q)
  if [ -t 1 ]; then
    quiet=()
  fi
  mvn -B "${quiet[@]}" -f "$shim/pom.xml" "$@"
}

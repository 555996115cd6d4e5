# Sourced by tools/demo and tools/test: goes to the root of the repository, installs what is missing on a Debian machine, and shows
# progress.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ cmake ninja-build pkg-config binutils libeigen3-dev libboost-dev libxml2-dev libzip-dev zlib1g-dev libcereal-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  libgtest-dev librapidcheck-dev libbenchmark-dev libjs-dygraphs libjs-three librsvg2-dev libgif-dev)

# install_missing <package>...
install_missing() {
  local missing=() package as_root=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "Installing ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Not root and no sudo: please install ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

# unpack_alone <package>...: below .packages, without what it depends on. libsundials-dev has the static libraries that
# `--solver cvode` needs in 1 MB; installed, it brings MPI, PETSc and Fortran along, 500 MB to load and 4 GB on the disk. Where it cannot be
# had, the build goes without.
unpack_alone() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' && continue
    [ -d ".packages/$package" ] && continue
    echo "Unpacking $package"
    mkdir -p .packages/load && (
      cd .packages/load && apt-get download -qq "$package" >/dev/null 2>&1 && dpkg -x "$package"_*.deb "../$package"
    ) || echo "$package cannot be had; the program is built without it" >&2
    rm -rf .packages/load
  done
}

# duration <seconds>: "3 min 20 s"
duration() {
  if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# report_progress <what> <done> <all>: a line at each tenth of the steps, with the time that they took. Nothing is said of the rest:
# steps take from a tenth of a second to a minute, and others may use the machine. Uses `begin` and `tenth` of the function that calls it.
report_progress() {
  local now=$((10 * $2 / $3)) spent=$((SECONDS - begin))
  [ "$now" -gt "$tenth" ] || return 0
  tenth=$now
  echo "  $1 $2 of $3 after $(duration $spent)"
}

# build_with_progress <arguments of cmake --build>: ninja's own line on a terminal, a line for each tenth in a pipe. What compilers say is
# shown in both.
build_with_progress() {
  if [ -t 1 ]; then
    cmake --build "$@" --parallel "$(nproc)"
    return
  fi
  cmake --build "$@" --parallel "$(nproc)" | {
    local line begin=$SECONDS tenth=0
    while IFS= read -r line; do
      if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
        report_progress built "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
      elif [ "$line" != "ninja: no work to do." ]; then
        printf '%s\n' "$line"
      fi
    done
  }
}

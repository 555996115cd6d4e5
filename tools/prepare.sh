# Sourced by tools/demo and tools/test: goes to the root of the repository and installs what is missing on a Debian machine.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ cmake ninja-build pkg-config binutils libeigen3-dev libboost-dev libxml2-dev libzip-dev zlib1g-dev libcereal-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  libgtest-dev libbenchmark-dev libjs-dygraphs libjs-three)

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

install_missing "${packages[@]}"

# Progress on a terminal, the last line alone in a pipe.
build_with_progress() {
  if [ -t 1 ]; then
    cmake --build "$@" --parallel "$(nproc)"
  else
    cmake --build "$@" --parallel "$(nproc)" | tail -n 1
  fi
}

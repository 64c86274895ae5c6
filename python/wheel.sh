#!/bin/sh
# Builds the wheel: wheel.sh LIBRARY OUT. Works without network, with Debian's setuptools and wheel.
set -eu
library=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/include" "$work/python" "$work/python/licenses"
cp "$here/../include/difflns.h" "$work/include/"
cp "$here/../LICENSE" "$work/python/licenses/"
cp -r "$here/difflns" "$here/setup.py" "$here/pyproject.toml" "$work/python/"
mkdir -p "$work/python/difflns/_library"
inside=$work/python/difflns/_library

# license PACKAGE FILE: what Debian says of the package that FILE is from, with the texts that it names.
license() {
    said=/usr/share/doc/$1/copyright
    [ -f "$said" ] || { echo "wheel: no license is known for $2, which the wheel would carry" >&2; exit 1; }
    cp -L "$said" "$work/python/licenses/LICENSE.$1"
    for text in $(grep -o '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$said" | sort -u); do
        cp -L "$text" "$work/python/licenses/LICENSE.common.${text##*/}"
    done
}

cp -L "$library" "$inside/libdifflns.so"
license librandom123-dev "the random numbers" # headers only: compiled into our own library
# What the C library itself does not bring lies beside it, so that the wheel needs no package of the system.
ldd "$library" | awk '/=> \// { print $3 }' >"$work/needed"
while read -r needed; do
    case "${needed##*/}" in libc.so* | libm.so*) continue ;; esac
    cp -L "$needed" "$inside/"
    # Debian knows files by where they were put, which may lie behind a link from /lib to /usr/lib.
    package=$(dpkg -S "$needed" 2>/dev/null || dpkg -S "$(readlink -f "$needed")" 2>/dev/null || dpkg -S "${needed#/usr}" 2>/dev/null) || package=""
    license "$(echo "$package" | sed 's/:.*//; 1q')" "$needed"
done <"$work/needed"
patchelf --set-rpath '$ORIGIN' "$inside/libdifflns.so"
DIFFLNS_LIBRARY=$inside/libdifflns.so PYTHONPATH=$work/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/typed_options.py" \
    >"$work/options.py"
mv "$work/options.py" "$work/python/difflns/_options.py"
cd "$work/python"
/usr/bin/python3 -m build --wheel --no-isolation --outdir "$out" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
ls "$out"/difflns-*.whl

#!/bin/sh
# Builds the wheel: wheel.sh LIBRARY OUT. Works without network, with Debian's setuptools and wheel.
set -eu
library=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/include" "$work/python"
cp "$here/../include/difflns.h" "$work/include/"
cp -r "$here/difflns" "$here/setup.py" "$here/pyproject.toml" "$work/python/"
mkdir -p "$work/python/difflns/_library"
inside=$work/python/difflns/_library
cp -L "$library" "$inside/libdifflns.so"
# What the C library itself does not bring lies beside it, so that the wheel needs no package of the system.
ldd "$library" | awk '/=> \// { print $3 }' | while read -r needed; do
    case "${needed##*/}" in libc.so* | libm.so*) ;; *) cp -L "$needed" "$inside/" ;; esac
done
patchelf --set-rpath '$ORIGIN' "$inside/libdifflns.so"
cd "$work/python"
/usr/bin/python3 -m build --wheel --no-isolation --outdir "$out" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
ls "$out"/difflns-*.whl

#!/bin/sh
# make_dir.sh DIR: make a directory with its parents, and print its absolute path.

umask 027
mkdir -p "$1"
unset CDPATH
cd "$1" || exit 100
pwd -P

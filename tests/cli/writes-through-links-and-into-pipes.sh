# A link stays a link, a pipe a pipe, a device a device; only a regular file is replaced.
convert() {
    "$DIFFLNS" convert -m "$DATA/toy.map" -i "$DATA/toy.scen" "$DATA/toy.paths" --format paths "$@"
}
echo old >file
ln -s file link
ln -s link further
convert -o further
ls -l | sed -n 's/.* \(.* -> .*\)/\1/p'
cat file
mkfifo pipe
cat pipe >read &
convert -o pipe
wait
cmp read file && test -p pipe && echo "the pipe carried the plan"
ln -s /dev/null nothing
convert -o nothing
test -h nothing && test -c /dev/null && echo "the device is still there"
convert -o /dev/stdout >redirected
cmp redirected file && echo "a redirection holds the plan"
echo "$(ls | wc -l) files"

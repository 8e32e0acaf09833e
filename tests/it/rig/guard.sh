# Runs a server for a test: guard.sh SIGNAL FOLDER LOG COMMAND...
# Each line on standard input starts the server once more; its process id is the answer. When standard input ends, because the
# test is done or was killed, the server gets SIGNAL (then SIGKILL, if it does not go) and the folder is removed.
set -m
signal=$1
folder=$2
log=$3
shift 3
while read -r _; do
    "$@" </dev/null >>"$log" 2>&1 &
    echo "$!"
done
for server in $(jobs -pr) $(jobs -ps); do
    kill -CONT -- "-$server"
    kill "-$signal" -- "-$server"
    for _ in {1..100}; do
        kill -0 -- "-$server" || break
        sleep 0.05
    done
    kill -KILL -- "-$server"
done 2>/dev/null
wait
rm -rf "$folder"

# Process guard: runs a command that ends when its parent does. When the process that holds the other end of file
# descriptor 3 is gone, for whatever reason (Ctrl-C, a crash, SIGKILL), the command's process group gets SIGTERM, and
# SIGKILL after 10 s. The command replaces this shell, so its process id is the one that the caller knows.
#
#   sh kill-with-parent.sh COMMAND [ARGUMENT …]     as the leader of a process group, with a pipe as file descriptor 3
(
	trap '' TERM INT HUP
	cat <&3
	kill -TERM -$$
	tries=0
	while kill -0 $$ && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -KILL -$$
) >/dev/null 2>&1 &
exec 3<&-
exec "$@"

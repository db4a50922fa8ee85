"""What scenario files of A World at War must keep, subject by subject: every fault is told, with its place and rule."""

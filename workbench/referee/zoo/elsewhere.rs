//! On systems other than Linux, no bot misbehaves with system calls.

pub fn ignore_sigterm() {}

pub fn raise_unnamed_signal() {
    needs_linux()
}

pub fn continue_by_timer() {
    needs_linux()
}

pub fn may_signal(_: i32) -> bool {
    needs_linux()
}

pub fn cores() -> usize {
    needs_linux()
}

pub fn close(_: i32) {
    needs_linux()
}

pub fn make_sibling() {
    needs_linux()
}

pub fn eat_shared_memory() {
    needs_linux()
}

pub fn eat_files_in_memory() {
    needs_linux()
}

pub fn meddle(_: &str) -> Vec<&'static str> {
    needs_linux()
}

pub fn work(_: std::time::Duration) {
    needs_linux()
}

fn needs_linux() -> ! {
    panic!("this mode needs Linux")
}

pub fn lock(_: &str) {
    needs_linux()
}

pub fn unlock() {
    needs_linux()
}

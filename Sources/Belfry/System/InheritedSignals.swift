import CLinux
import Glibc

/// Takes back what the program's parent has blocked or ignored of signals. Call it on the main thread, before the
/// program starts others, which inherit its mask.
///
/// A blocked signal doesn't end the program, and Linux keeps it although it is ignored, until it is no longer ignored.
/// A program that ignores SIGCHLD can't know how its children end. Other ignored signals stay: nohup(1) wants them so.
package func resetInheritedSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    signal(SIGCHLD, SIG_DFL)
}

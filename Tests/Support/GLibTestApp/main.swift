import Glibc

// A program on GLib's main loop, as the tests of BelfryGLib need one. It prints what happened:
//
//   GLibTestApp add         a click adds a request; the center delivers it, and a response comes back to the main actor
//   GLibTestApp without     what a Task does without attach(), then with it, without it again, and with it
//   GLibTestApp idle        how often the loop turns for so many pieces of work, and how often without any
//   GLibTestApp busy        whether GLib's own sources run beside a Task that never waits
//   GLibTestApp nested      what runs in a loop that a Task runs
//   GLibTestApp misuse      the calls that can't be obeyed
//   GLibTestApp stranger    another thread runs the main context: this ends the program
//   GLibTestApp leaks       what is left of 50,000 times attach() and detach()

// Who hangs is ended.
alarm(40)

switch CommandLine.arguments.dropFirst().first {
case "add": try Delivering().run()
case "without": try Attaching().withoutAndWith()
case "idle": try Turning().idle()
case "busy": try Turning().busy()
case "nested": try Turning().nested()
case "misuse": try Attaching().misuse()
case "stranger": try Attaching().strange()
case "leaks": try Attaching().leaks()
default: exit(64)
}

import Belfry
import BelfryAgent
import BelfryBus
import Foundation

// An app as the agent's tests need one, over the agent of the session:
//
//   AgentTestApp ask command|bus|nothing     shows "Tea?", tells how it can be started, and ends
//   AgentTestApp answer WAY                  takes one response, shows "Thanks", and ends; on "bus" it is DBusActivatable
//   AgentTestApp waiting                     says whether a response waits, within a second
//   AgentTestApp take APP                    takes a response of APP, and says what became of that
//   AgentTestApp try OWN OTHER               tries what a sandbox must not, and says what became of each
//   AgentTestApp serve FILE                  is the agent, which crashes as it opens an app whose identifier is a line of FILE
//   AgentTestApp portal FOLDER               on the portal, with its store in FOLDER: takes one response, shows "Thanks", and ends
//   AgentTestApp open FILE…                  forwards what it is to open; is the app if none runs, until its first call

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("ask", 2): try await TeaApp(way: arguments[1]).ask()
case ("answer", 2): try await TeaApp(way: arguments[1]).answer()
case ("waiting", 1): try await TeaApp(way: "hand").tellWhetherOneWaits()
case ("take", 2): print(await Confinement(own: arguments[1], other: arguments[1]).takeResponses())
case ("try", 3): await Confinement(own: arguments[1], other: arguments[2]).tryAll()
case ("portal", 2): try await PortalApp(store: arguments[1]).answer()
case ("open", _): print(try await SingleApp(files: arguments.dropFirst().map { URL(filePath: $0) }).open())
case ("serve", 2): exit(await CrashingAgent(list: arguments[1]).run())
default: exit(64)
}

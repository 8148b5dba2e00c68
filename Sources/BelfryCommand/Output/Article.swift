import Belfry
import BelfryAgent
import BelfryPluginHost
import BelfrySQLite
import BelfrySchedules
import FoundationEssentials

/// The articles of the documentation that errors and `belfry doctor` refer to. Update this file when an article moves.
enum Article: String, CaseIterable {
    case agent
    case backends
    case commandLine = "command-line"
    case dates = "triggers-and-time-zones"
    case desktops
    case identity = "app-identity"
    case regions
    case scheduleFiles = "schedule-files"
    case series = "repeating-until-answered"
    case store = "storage-and-guarantees"

    /// The directory of the articles in the project.
    static let folder = "Sources/Belfry/Belfry.docc/Articles"
    /// The directory of the articles after `make install` or from the Debian package, relative to the program's
    /// directory.
    private static let installedFolder = "../share/doc/belfry"

    var fileName: String { rawValue + ".md" }

    /// The path of the article that was installed with this program, else the project's.
    var path: String {
        path(installedWith: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    }

    func path(installedWith program: String?) -> String {
        let projects = "\(Self.folder)/\(fileName)"
        guard let program else { return projects }
        let installed = URL(fileURLWithPath: program).deletingLastPathComponent()
            .appending(path: "\(Self.installedFolder)/\(fileName)").standardizedFileURL.path
        return FileManager.default.fileExists(atPath: installed) ? installed : projects
    }

    /// Returns the article that helps with an error; nil if the error's message is sufficient.
    static func about(_ code: NoticeError.Code) -> Article? {
        switch code {
        case .noBus, .noServer, .serverTimedOut, .serverBusy: .desktops
        case .pluginMisbehaved, .backendStopped, .unsupported: .backends
        case .storeFailed, .storeDamaged, .storeInUse: .store
        case .agentUnavailable, .appQuarantined, .needsEmbeddedEngine, .notAuthorized: .agent
        case .invalidSchedule: .scheduleFiles
        case .neverFires, .invalidComponent, .unknownZone: .dates
        case .invalidRegion, .locationUnavailable, .locationDenied: .regions
        case .invalidSeries: .series
        case .invalidNotation: .commandLine
        default: nil
        }
    }
}

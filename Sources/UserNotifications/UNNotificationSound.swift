import Belfry
public import Foundation

/// The name of a sound: a file in the program's resources, a name from the desktop's sound theme, or an absolute path.
///
/// ```swift
/// let bell = UNNotificationSoundName("complete")   // of the desktop's sound theme
/// let content = UNMutableNotificationContent()
/// content.sound = UNNotificationSound(named: bell)
/// ```
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name or the path.
    public let rawValue: String
    /// Creates a name from a file of the program, a name from the sound theme, or an absolute path.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a name from a file of the program, a name from the sound theme, or an absolute path.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notice.
///
/// ```swift
/// let content = UNMutableNotificationContent()
/// content.title = "Tea is ready"
/// content.sound = .default
/// ```
public final class UNNotificationSound: NSObject, NSCopying, Sendable {
    let sound: NoticeSound

    init(_ sound: NoticeSound) { self.sound = sound }

    /// The desktop's default sound.
    public static let `default` = UNNotificationSound(.standard)
    /// The desktop's default sound: the content's interruption level makes a notice critical.
    public static let defaultCritical = UNNotificationSound(.standard)

    /// Creates a sound from a file in the resources of `Bundle.main`, from the desktop's theme, or from an absolute
    /// path. A name with an extension but no such file gives the default sound, as with Apple.
    public convenience init(named name: UNNotificationSoundName) { self.init(NoticeSound(apple: name.rawValue)) }

    /// The sound of an incoming call.
    public static let defaultRingtone = UNNotificationSound(.named("phone-incoming-call"))

    /// The desktop's default sound. The desktop sets the volume.
    public class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound { defaultCritical }

    /// A sound, as ``init(named:)``: the content's interruption level makes a notice critical.
    public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    /// A sound, as ``init(named:)``. The desktop sets the volume.
    public class func criticalSoundNamed(
        _ name: UNNotificationSoundName,
        withAudioVolume volume: Float
    ) -> UNNotificationSound { UNNotificationSound(named: name) }

    /// A sound, as ``init(named:)``.
    public class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    /// Whether the other is the same sound.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.sound == sound }
    /// The hash of the sound.
    public override var hash: Int { sound.hashValue }
    /// Returns the sound itself, which can't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NoticeSound {
    fileprivate init(apple name: String) {
        if name.hasPrefix("/") {
            self = .file(name)
        } else if let path = Bundle.main.path(forResource: name, ofType: nil) {
            self = .file(path)
        } else {
            // Names in sound themes have no extension: this is a missing file of the app.
            self = name.contains(".") ? .standard : .named(name)
        }
    }
}

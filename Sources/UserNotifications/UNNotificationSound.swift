import Belfry
public import Foundation

/// The name of a sound: a file among the program's resources, a name of the desktop's sound theme, or an absolute path.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name or the path.
    public let rawValue: String
    /// A file of the program, a name from the sound theme, or an absolute path.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A file of the program, a name from the sound theme, or an absolute path.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notice.
public final class UNNotificationSound: NSObject, Sendable {
    let sound: NoticeSound

    init(_ sound: NoticeSound) { self.sound = sound }

    /// The desktop's usual sound.
    public static let `default` = UNNotificationSound(.standard)
    /// The desktop's usual sound: what is critical is the content's interruption level.
    public static let defaultCritical = UNNotificationSound(.standard)

    /// A file among the resources of `Bundle.main`, or else a sound of the desktop's theme; an absolute path is a file
    /// too. A name with an ending that is no such file is the usual sound, as with Apple.
    public convenience init(named name: UNNotificationSoundName) { self.init(NoticeSound(apple: name.rawValue)) }

    /// The sound of an incoming call.
    public static let defaultRingtone = UNNotificationSound(.named("phone-incoming-call"))

    /// The desktop's usual sound. The volume is the desktop's.
    public class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound { defaultCritical }

    /// A sound, as ``init(named:)``: what is critical is the content's interruption level.
    public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    /// A sound, as ``init(named:)``. The volume is the desktop's.
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
}

extension NoticeSound {
    fileprivate init(apple name: String) {
        if name.hasPrefix("/") {
            self = .file(name)
        } else if let path = Bundle.main.path(forResource: name, ofType: nil) {
            self = .file(path)
        } else {
            // The names of sound themes have no ending: this is a file of the app that didn't come along.
            self = name.contains(".") ? .standard : .named(name)
        }
    }
}

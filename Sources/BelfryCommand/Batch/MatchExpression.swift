import Belfry
import BelfryRecurrence
import BelfrySchedules

/// Date components in JSON: one object, or a list of objects of which any may match.
enum MatchExpression {
    static func fields(_ expression: JSONValue) throws(NoticeError) -> [DateFields] {
        switch expression {
        case .object(let object): return [try set(object)]
        case .array(let elements):
            guard !elements.isEmpty else {
                throw .unreadable("match: the list of components is empty; give at least one object.")
            }
            var sets: [DateFields] = []
            for element in elements {
                guard let object = element.objectValue else {
                    throw .unreadable("match: the list holds \(element.clipped), which is no object of components.")
                }
                sets.append(try set(object))
            }
            return sets
        default:
            throw .unreadable(
                "match: the expression must be an object of components, such as {\"hour\":8}, or a list of them."
            )
        }
    }

    private static func set(_ object: [String: JSONValue]) throws(NoticeError) -> DateFields {
        var fields = DateFields()
        for (name, value) in object where !ComponentName.ignored.contains(name) {
            guard let path = ComponentName.path(name) else {
                throw .unreadable("match: '\(name.clipped)' is no date component; there are \(ComponentName.list).")
            }
            switch value {
            case .int(let number): fields[keyPath: path] = Int(number)
            case .double(let number) where number == number.rounded():
                // A number that is too large for an integer is out of range anyway; the date engine reports that.
                fields[keyPath: path] = Int(exactly: number) ?? (number < 0 ? .min : .max)
            case .null: continue
            default: throw .unreadable("match: the value \(value.clipped) of \(name) is no whole number.")
            }
        }
        return fields
    }
}

import GateModel

/// Suggests names when somebody wrote one that does not exist.
enum NearestNames {
    /// Nearest first; empty if none is near. The part of a name before its last dot may be missing in what was written.
    static func of(_ name: String, among names: [String], atMost count: Int = 3) -> [String] {
        let limit = max(3, name.count / 2)
        return
            names
            .map { (name: $0, distance: min(distance(name, $0), distance(name, afterLastDot($0)))) }
            .filter { $0.distance <= limit }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(count)
            .map(\.name)
    }

    private static func afterLastDot(_ name: String) -> String {
        String(name.split(separator: ".").last ?? "")
    }

    private static func distance(_ left: String, _ right: String) -> Int {
        EditDistance.between(Array(left.lowercased()), Array(right.lowercased()))
    }
}

import GateModel

/// The name that somebody may have meant who wrote one that does not exist.
enum NearestNames {
    /// The names nearest to the one written, nearest first; none where nothing is near. What stands before the last dot may
    /// have been left out.
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

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
        distance(Array(left.lowercased()), Array(right.lowercased()))
    }

    /// How many letters have to be put in, taken out or changed to make one of the other.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let changed = diagonal + (character == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}

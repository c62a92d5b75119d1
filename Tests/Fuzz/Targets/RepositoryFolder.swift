import Foundation

/// What lies in this repository, for inputs to begin with.
enum RepositoryFolder {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files of a folder, by name.
    static func files(_ folder: String, endingIn suffix: String) -> [[UInt8]] {
        let folder = root.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appendingPathComponent(name))).map { Array($0) }
        }
    }
}

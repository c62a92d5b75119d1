import Foundation
import GateModel
import GateScripting
import ReceiptSupport

// What a daemon is told of a script's world.

extension ScriptWorld {
    static func configuration(in directory: URL) -> URL { directory.appending(path: "etc") }

    /// The configuration directory, as an administrator would have written it.
    /// - Parameter store: who signs what is sold.
    func writeConfiguration(into directory: URL, _ store: SignedTransactions) throws {
        let configuration = Self.configuration(in: directory)
        try write(policy, as: "policy.yaml", in: configuration)
        if let questions { try write(questions, as: "script.yaml", in: configuration.appending(path: "questions.d")) }
        for folder in ["questionnaires.d", "release-notes.d"] {
            try? FileManager.default.removeItem(at: configuration.appending(path: folder))
        }
        for (path, text) in files { try write(text, to: configuration.appending(path: path)) }
        guard !products.isEmpty else { return }
        let gives = products.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        let providers = """
            storekit:
              bundle-ids: [\(store.bundleID)]
              roots: [roots/root.cer]
              products: {\(gives)}

            """
        try write(providers, as: "providers.yaml", in: configuration)
        let roots = configuration.appending(path: "roots")
        try FileManager.default.createDirectory(at: roots, withIntermediateDirectories: true)
        try Data(store.chain.root.derBytes).write(to: roots.appending(path: "root.cer"))
    }

    private func write(_ text: String, as name: String, in folder: URL) throws {
        try write(text, to: folder.appending(path: name))
    }

    private func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The options of `gated-scripted` for the people of the script.
    var peerOptions: [String] {
        people.flatMap { ["--peer", "\($0.name)=\($0.uid)/\($0.owner.number)\($0.roles.peerOption)"] }
    }
}

extension Roles {
    fileprivate var peerOption: String {
        if contains(.administrator) { return ":administrator" }
        if contains(.provider) { return ":provider" }
        if contains(.broker) { return ":broker" }
        if contains(.timekeeper) { return ":timekeeper" }
        if contains(.grownUpPresenter) { return ":grown-up-presenter" }
        return contains(.presenter) ? ":presenter" : ""
    }
}

import Foundation
import Testing

/// Arrows point down only, as docs/architecture.md has them: held against the imports and against Package.swift.
@Suite("Layering")
struct LayeringTests {
    /// Modules of the system. Not every target may import them: see `pureTargets`.
    static let systemModules: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Musl",
        "Synchronization",
    ]
    static let nio: Set<String> = ["NIOConcurrencyHelpers", "NIOCore", "NIOPosix"]

    /// The rules and the wire know no system: they are the same everywhere, and a test needs nothing to try them.
    static let pureTargets: Set<String> = [
        "GateModel", "GateExpressions", "GateForms", "GateCore", "ProtobufScan", "TTRPC",
    ]

    /// What each target may import beside the system's modules. Each target has a row.
    static let table: [String: Set<String>] = [
        "GateModel": [],
        "GateCore": ["GateModel", "GateExpressions", "HeapModule"],
        "GateExpressions": ["GateModel"],
        "GateForms": ["GateModel", "GateExpressions"],
        "GatePolicy": ["GateModel", "GateForms", "CYAML"],
        "CCrypt": [],
        "GateCredentials": ["GateModel", "CCrypt", "Crypto"],
        "GateReceipts": ["GateModel", "Crypto"],
        "GateStoreKit": ["GateModel", "GateReceipts", "Crypto", "SwiftASN1", "X509"],
        "GateGuardians": ["GateModel", "Crypto"],
        "SQLite": ["CSQLite"],
        "GateStore": ["GateModel", "GateForms", "GateCore", "GateGuardians", "SQLite", "CUTF8Proc"],
        "CProtobufC": [],
        "CTTRPC": [],
        "CGateProtocol": [],
        "CTimerFD": [],
        "CUTF8Proc": [],
        "CYAML": [], "CSQLite": [], "CCurl": [], "CMosquitto": [],
        "CProcess": [], "CGettext": [], "GateTexts": ["CGettext", "GateModel"],
        "GateScreens": ["GateForms", "GateModel", "GateTexts"], "CGTK": [], "CSwiftJobs": [],
        "GateWindows": ["CGTK", "CSwiftJobs", "CTimerFD", "GateModel"],
        "gate-presenter": [
            "CGTK", "GateClient", "GateCore", "GateForms", "GateModel", "GateScreens", "GateTexts", "GateWindows",
            "ArgumentParser",
        ],
        "gate-settings": [
            "CGTK", "GateClient", "GateCore", "GateModel", "GatePolicy", "GateScreens", "GateTexts", "GateWindows",
            "ArgumentParser",
        ],
        "CPrefetch": [],
        "CGateStatus": [],
        "CStatusPage": ["CGateStatus"],
        "ProtobufScan": ["CProtobufC"],
        "TTRPC": ["CTTRPC", "CProtobufC", "ProtobufScan"],
        "CEpoll": [],
        "Epoll": ["CEpoll", "HeapModule", "NIOCore"],
        "TTRPCTransport": nio.union(["TTRPC", "CEpoll", "CPrefetch", "Epoll"]),
        "GateProtocol": ["GateModel", "CGateProtocol", "CProtobufC", "ProtobufScan"],
        "GateDaemon": nio.union([
            "GateModel", "GateForms", "GateCore", "GatePolicy", "GateCredentials", "GateGuardians", "GateReceipts",
            "GateStoreKit", "GateStore", "GateProtocol", "Crypto", "TTRPC", "TTRPCTransport", "CTimerFD", "CGateStatus",
            "CStatusPage",
            "CPrefetch", "Epoll", "Logging", "SystemdService",
        ]),
        "GateClient": nio.union([
            "GateModel", "GateForms", "GateProtocol", "TTRPC", "TTRPCTransport", "CGateStatus",
        ]),
        "GateClientRaw": ["GateClient"],
        "SystemdService": ["Logging"],
        "gated": [
            "GateDaemon", "GateModel", "GateReceipts", "GateStoreKit", "GateStore", "SystemdService", "TTRPCTransport",
            "ArgumentParser", "Logging",
        ],
        "gatectl": [
            "GateClient", "GateCore", "GateForms", "GateModel", "GatePolicy", "GateProtocol", "GateReceipts",
            "GateScreens", "GateTexts",
            "CUTF8Proc", "CProcess", "ArgumentParser", "Crypto",
        ],
        "gate-revenuecat": [
            "GateClient", "GateModel", "GatePolicy", "GateReceipts", "SystemdService", "CCurl", "ArgumentParser",
            "Logging",
            "ServiceLifecycle", "UnixSignals",
        ],
        "GateHousehold": ["GateGuardians", "GateModel", "CMosquitto", "Crypto", "Logging", "SwiftASN1", "X509"],
        "gate-household": [
            "GateClient", "GateGuardians", "GateHousehold", "GateModel", "GatePolicy", "GateTexts", "SystemdService",
            "CProcess", "ArgumentParser", "Logging", "ServiceLifecycle", "UnixSignals", "X509",
        ],
        "GateClientTesting": [
            "GateClient", "GateCredentials", "GateDaemon", "GateModel", "GatePolicy", "TTRPCTransport",
        ],
    ]

    @Test("no file imports a module that its layer may not use")
    func imports() throws {
        let files = try RepositoryFiles.swift(in: "Sources")
        try #require(files.count > 20)
        for file in files {
            guard let allowed = Self.table[file.target] else {
                Issue.record("\(file.path): the table above has no target \(file.target)")
                continue
            }
            for (number, module) in file.imports {
                let isSystem = Self.systemModules.contains(module) && !Self.pureTargets.contains(file.target)
                #expect(
                    allowed.contains(module) || isSystem,
                    "\(file.path):\(number): \(file.target) may not import \(module)")
            }
        }
    }

    @Test("targets that apps link import Musl beside Glibc, so that a static SDK can build them")
    func musl() throws {
        for target in ["TTRPCTransport", "GateProtocol", "GateClient"] {
            for file in try RepositoryFiles.swift(in: "Sources") where file.target == target {
                let modules = Set(file.imports.map(\.module))
                #expect(
                    modules.contains("Glibc") == modules.contains("Musl"),
                    "\(file.path): import Musl where that can be imported, else Glibc")
            }
        }
    }

    @Test("no program imports all of Foundation, which would make it 40 MB larger")
    func foundation() throws {
        for file in try RepositoryFiles.swift(in: "Sources") {
            #expect(!file.imports.contains { $0.module == "Foundation" }, "\(file.path): use FoundationEssentials")
        }
    }

    @Test("Package.swift has no dependency that the table lacks")
    func packageArrows() throws {
        let targets = try PackageText.targets()
        #expect(Set(targets.keys).isSubset(of: Set(Self.table.keys)), "a target that the table does not have")
        for (target, dependencies) in targets {
            let extra = dependencies.subtracting(Self.table[target] ?? [])
            #expect(extra.isEmpty, "\(target) may not depend on \(extra.sorted())")
        }
    }

    @Test("docs/architecture.md lists each target with its storey, and each import in the table is used")
    func documented() throws {
        let page = try #require(try RepositoryFiles.pages().first { $0.path == "docs/architecture.md" })
        let code = /`([^`]+)`/
        var documented: [String: Set<String>] = [:]
        for line in page.lines {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 4, let storey = cells[1].firstMatch(of: code) else { continue }
            documented[String(storey.1)] = Set(cells[2].matches(of: code).map { String($0.1) })
        }
        let sources = RepositoryFiles.root.appendingPathComponent("Sources").path
        for storey in try FileManager.default.contentsOfDirectory(atPath: sources) {
            let targets = try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(storey)")
            let missing = Set(targets).subtracting(documented[storey] ?? [])
            #expect(missing.isEmpty, "the page does not say what \(missing.sorted()) in \(storey) are")
        }
        var imported: [String: Set<String>] = [:]
        for file in try RepositoryFiles.swift(in: "Sources") {
            imported[file.target, default: []].formUnion(file.imports.map(\.module))
        }
        for (target, modules) in imported {
            // Headers of C come with the modules that include them.
            let unused = (Self.table[target] ?? []).subtracting(modules).filter { !$0.hasPrefix("C") || $0 == "Crypto" }
            #expect(unused.isEmpty, "\(target) imports nothing of \(unused.sorted())")
        }
    }

    @Test("every target of Package.swift has a folder, and every folder a target")
    func folders() throws {
        let sources = RepositoryFiles.root.appendingPathComponent("Sources").path
        let storeys = try FileManager.default.contentsOfDirectory(atPath: sources)
        let folders = try Set(
            storeys.flatMap { try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\($0)") })
        // The translations are no code; the others are built without Swift.
        let others: Set = ["gate-launcher", "gate-portal", "libgate", "pam_gate", "po", "python", "timekpr"]
        #expect(try folders.subtracting(others) == Set(PackageText.targets().keys))
    }

    @Test("no target depends on itself through others")
    func noCycles() {
        func reach(_ target: String, _ seen: Set<String>) -> Set<String> {
            (Self.table[target] ?? []).subtracting(seen).reduce(seen) { reach($1, $0.union([$1])) }
        }
        for target in Self.table.keys {
            #expect(!reach(target, []).contains(target), "\(target) imports itself in the end")
        }
    }
}

extension RepositoryFile {
    /// The modules that it imports, with the lines.
    var imports: [(line: Int, module: String)] {
        code.compactMap { number, text in
            guard text.contains("import ") else { return nil }
            let pattern =
                /^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|func|protocol|var|let|typealias)\s+)?(\w+)/
            return text.firstMatch(of: pattern).map { (number, String($0.1)) }
        }
    }
}

/// Package.swift, read as text: quick, and no package needs to be resolved for it.
enum PackageText {
    /// The names that stand for several dependencies, or for products.
    private static let names: [String: Set<String>] = [
        "argumentParser": ["ArgumentParser"], "asn1": ["SwiftASN1"], "x509": ["X509"],
        "logging": ["Logging"],
        "nio": LayeringTests.nio, "nioCore": ["NIOCore"], "serviceLifecycle": ["ServiceLifecycle", "UnixSignals"],
    ]

    /// What each target under Sources depends on.
    static func targets() throws -> [String: Set<String>] {
        let url = RepositoryFiles.root.appendingPathComponent("Package.swift")
        let text = try String(contentsOf: url, encoding: .utf8)
        var targets: [String: Set<String>] = [:]
        let pattern =
            /\.(?:target|executableTarget|systemLibrary)\(\s*name:\s*"([^"]+)"(.*?)\)(?=,?\n)/.dotMatchesNewlines()
        for match in text.matches(of: pattern) where !match.2.contains(/path: "(Tests|Benchmarks)\//) {
            let arguments = match.2.split(separator: "dependencies:", maxSplits: 1)
            var dependencies: Set<String> = []
            // The list ends at the next argument, where the settings begin.
            let list = arguments.count > 1 ? arguments[1].prefix(while: { $0 != ":" }) : ""
            for word in list.matches(of: /"([^"]+)"|(\w+)/) {
                if let quoted = word.1 {
                    dependencies.insert(String(quoted))
                } else if let name = word.2, let known = names[String(name)] {
                    dependencies.formUnion(known)
                }
            }
            targets[String(match.1)] = dependencies
        }
        return targets
    }
}

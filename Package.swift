// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
/// Of a static executable, the members of the system's C types are in other modules than of a dynamic one.
let strictForStatic: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]
/// Dynamic, so that GateClient can go into a shared library: Debian's libprotobuf-c.a is not position-independent. A static
/// executable takes that one by itself.
let protobufC: [LinkerSetting] = [.linkedLibrary("protobuf-c")]

/// `make release` sets it. These flags change only how programs are linked, so all that is installed comes from one build.
let isRelease = Context.environment["GATE_RELEASE"] != nil
/// The modules that mostly wait for people, files and the daemon are optimized for size.
let small: [SwiftSetting] = isRelease ? [.unsafeFlags(["-Osize"])] : []
/// A release has no tables for unwinding, which would be a seventh of a program and are not needed: no code throws C++
/// exceptions, and Swift's backtraces follow frame pointers. Its relocations are packed, which takes glibc 2.36 (Debian
/// 12). Equal functions whose addresses nobody compares are linked once. Its symbols are hidden: nothing needs the symbols
/// of a program, but libraries that a program with windows loads would otherwise be bound to them.
let lean: [LinkerSetting] =
    isRelease
    ? linking(
        [
            "--script=\(Context.packageDirectory)/packaging/no-unwinding.ld", "--no-eh-frame-hdr",
            "-z", "pack-relative-relocs", "--no-export-dynamic", "--exclude-libs=ALL", "--icf=safe",
        ], "-use-ld=lld")
    : []
/// gatectl starts in half the time. gated can't be static: it asks for the ids of groups, and a static glibc can't load the
/// name services for that.
let staticExecutable: [LinkerSetting] = isRelease ? [.unsafeFlags(["-static-executable"])] : []
/// A debug build of gatectl leaves out a check of ArgumentParser's, and starts in half the time: see UncheckedArguments.c.
let uncheckedArguments = "$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ"
let quickStart: [LinkerSetting] = isRelease ? [] : linking(["--wrap=\(uncheckedArguments)"])

/// Options of the linker, after options of the compiler that calls it.
func linking(_ options: [String], _ compilerOptions: String...) -> [LinkerSetting] {
    [.unsafeFlags(compilerOptions + options.flatMap { ["-Xlinker", $0] })]
}

let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let flyingFox: [Target.Dependency] = [
    .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nio: [Target.Dependency] = [
    nioCore,
    .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let serviceLifecycle: [Target.Dependency] = [
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")

/// The storeys of the house, each a folder of Sources with the targets in it.
let storeys: [(folder: String, targets: [String])] = [
    // Values, rules, and the readers of the files that choose the rules.
    ("core", ["GateModel", "GateCore", "GateExpressions", "GateForms", "GatePolicy"]),
    // Frames and messages.
    ("wire", ["CGateProtocol", "CTTRPC", "ProtobufScan", "TTRPC", "TTRPCTransport", "GateProtocol"]),
    // The authority, and what only it needs.
    (
        "daemon",
        [
            "gated", "GateDaemon", "GateStore", "GateCredentials", "GateReceipts", "GateStoreKit", "CGateStatus",
            "CStatusPage",
        ]
    ),
    // Libraries and tools that ask it.
    ("clients", ["GateClient", "GateClientRaw", "GateClientTesting", "GateTexts", "gatectl", "gate-revenuecat"]),
    // Windows.
    ("screens", ["GateScreens", "GateWindows", "gate-presenter", "gate-settings"]),
    // Devices that share a broker.
    ("household", ["GateGuardians", "GateHousehold", "gate-household"]),
    // The system's libraries and calls, for Swift.
    (
        "system",
        [
            "CCrypt", "CCurl", "CEpoll", "CGTK", "CGettext", "CMosquitto", "CPrefetch", "CProcess", "CProtobufC",
            "CSQLite",
            "CSwiftJobs", "CTimerFD", "CUTF8Proc", "CYAML", "Epoll", "SQLite", "SystemdService",
        ]
    ),
]

let package = Package(
    name: "gate",
    products: [
        .library(name: "GateClient", targets: ["GateClient"]),
        .library(name: "GateClientRaw", targets: ["GateClientRaw"]),
        .executable(name: "gated", targets: ["gated"]),
        .executable(name: "gatectl", targets: ["gatectl"]),
        .executable(name: "gate-revenuecat", targets: ["gate-revenuecat"]),
        .executable(name: "gate-household", targets: ["gate-household"]),
        .library(name: "GateClientTesting", targets: ["GateClientTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // The rules, from the values up.
        .target(name: "GateModel", swiftSettings: strict),
        .target(name: "GateCore", dependencies: ["GateModel", "GateExpressions", heap], swiftSettings: strict),
        .target(name: "GateExpressions", dependencies: ["GateModel"], swiftSettings: strict + small),
        .target(name: "GateForms", dependencies: ["GateModel", "GateExpressions"], swiftSettings: strict + small),
        .target(name: "GatePolicy", dependencies: ["GateModel", "GateForms", "CYAML"], swiftSettings: strict + small),
        .target(name: "CCrypt", linkerSettings: [.linkedLibrary("crypt")]),
        .target(name: "CYAML", linkerSettings: [.linkedLibrary("yaml")]),
        // Inside the program: Debian 12 and 13 have it under different names.
        .target(name: "CUTF8Proc", linkerSettings: [.linkedLibrary(":libutf8proc.a")]),
        .target(name: "CProcess"),
        .target(name: "GateCredentials", dependencies: ["GateModel", "CCrypt", crypto], swiftSettings: strict + small),
        .target(name: "GateReceipts", dependencies: ["GateModel", crypto], swiftSettings: strict + small),
        .target(
            name: "GateStoreKit", dependencies: ["GateModel", "GateReceipts", asn1, crypto, x509],
            swiftSettings: strict + small),
        .target(name: "GateGuardians", dependencies: ["GateModel", crypto], swiftSettings: strict + small),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(
            name: "GateStore",
            dependencies: ["GateModel", "GateForms", "GateCore", "GateGuardians", "SQLite", "CUTF8Proc"],
            swiftSettings: strict + small),

        // The wire, from the bytes up.
        .target(name: "CProtobufC", linkerSettings: protobufC),
        .target(name: "CTTRPC", linkerSettings: protobufC),
        .target(name: "CGateProtocol", linkerSettings: protobufC),
        .target(name: "ProtobufScan", dependencies: ["CProtobufC"], swiftSettings: strict),
        .target(name: "TTRPC", dependencies: ["CTTRPC", "CProtobufC", "ProtobufScan"], swiftSettings: strict),
        .target(name: "CPrefetch"),
        .target(name: "CEpoll"),
        .target(name: "Epoll", dependencies: ["CEpoll", heap, nioCore], swiftSettings: strict),
        .target(
            name: "TTRPCTransport", dependencies: ["TTRPC", "CEpoll", "CPrefetch", "Epoll"] + nio, swiftSettings: strict
        ),
        .target(
            name: "GateProtocol", dependencies: ["GateModel", "CGateProtocol", "CProtobufC", "ProtobufScan"],
            swiftSettings: strict),

        // A service's side of systemd.
        .target(name: "SystemdService", dependencies: [logging], swiftSettings: strict),

        // The authority.
        .target(name: "CGateStatus"),
        .target(name: "CStatusPage", dependencies: ["CGateStatus"]),
        .target(name: "CTimerFD"),
        .target(
            name: "GateDaemon",
            dependencies: [
                "GateModel", "GateForms", "GateCore", "GatePolicy", "GateCredentials", "GateGuardians", "GateReceipts",
                "GateStoreKit", "GateStore", "GateProtocol", "Epoll", "TTRPC", "TTRPCTransport", "SystemdService",
                "CTimerFD",
                "CGateStatus", "CStatusPage", "CPrefetch", crypto,
            ]
                + nio + [logging],
            swiftSettings: strict),
        .executableTarget(
            name: "gated",
            dependencies: [
                "GateModel", "GateReceipts", "GateStoreKit", "GateStore", "GateDaemon", "SystemdService",
                "TTRPCTransport",
                argumentParser, logging,
            ],
            swiftSettings: strict, linkerSettings: lean),

        // The words that a person reads.
        .target(name: "CGettext"),
        .target(name: "GateTexts", dependencies: ["GateModel", "CGettext"], swiftSettings: strictForStatic + small),

        // Its clients.
        .target(
            name: "GateClient",
            dependencies: ["GateModel", "GateForms", "GateProtocol", "TTRPC", "TTRPCTransport", "CGateStatus"] + nio,
            swiftSettings: strict + small),
        .executableTarget(
            name: "gatectl",
            dependencies: [
                "GateModel", "GateForms", "GateCore", "GatePolicy", "GateReceipts", "GateProtocol", "GateClient",
                "GateScreens", "GateTexts", "CUTF8Proc", "CProcess", argumentParser, crypto,
            ],
            swiftSettings: strictForStatic + small, linkerSettings: staticExecutable + quickStart + lean),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "gate-revenuecat",
            dependencies: [
                "GateModel", "GatePolicy", "GateReceipts", "GateClient", "SystemdService", "CCurl", argumentParser,
                logging,
            ] + serviceLifecycle,
            swiftSettings: strict, linkerSettings: lean),
        .target(name: "CMosquitto", linkerSettings: [.linkedLibrary("mosquitto")]),
        .target(
            name: "GateHousehold",
            dependencies: ["GateModel", "GateGuardians", "CMosquitto", asn1, crypto, logging, x509],
            swiftSettings: strict + small),
        .executableTarget(
            name: "gate-household",
            dependencies: [
                "GateModel", "GateGuardians", "GatePolicy", "GateClient", "GateHousehold", "GateTexts", "CProcess",
                "SystemdService", argumentParser,
                logging, x509,
            ] + serviceLifecycle,
            swiftSettings: strict, linkerSettings: lean),
        .target(
            name: "GateScreens", dependencies: ["GateModel", "GateForms", "GateTexts"], swiftSettings: strict + small),
        .target(name: "GateClientRaw", dependencies: ["GateClient"], swiftSettings: strict),
        .target(
            name: "GateClientTesting",
            dependencies: [
                "GateModel", "GatePolicy", "GateCredentials", "GateClient", "GateDaemon", "TTRPCTransport",
            ],
            swiftSettings: strict),

        // For benchmarks alone; never installed.
        .executableTarget(
            name: "form-benchmark", dependencies: ["GateModel", "GateCore"], path: "Benchmarks/Forms",
            swiftSettings: strict),
        .executableTarget(
            name: "household-load",
            dependencies: ["CMosquitto", "GateModel", "GateCore", "GateGuardians", "GateHousehold", "GateClient"],
            path: "Benchmarks/Household", exclude: ["run"], swiftSettings: strict),

        // Tests. ProcessSupport runs the built executables for those that need real processes. GateScripting reads and runs the
        // dialogues of Tests/Scripts; gated-scripted is a daemon with a clock to turn. CommandSupport has short names of commands.
        .target(
            name: "GateScripting",
            dependencies: ["CommandSupport", "GateModel", "GateForms", "GateCore", "GatePolicy", "GateCredentials"],
            path: "Tests/Scripting", swiftSettings: strict),
        .executableTarget(
            name: "gated-scripted",
            dependencies: [
                "GateModel", "GateCore", "GatePolicy", "GateDaemon", "GateScripting", "TTRPCTransport", argumentParser,
                logging,
            ],
            path: "Tests/GatedScripted", swiftSettings: strict),
        .target(
            name: "CommandSupport", dependencies: ["GateModel", "GateCore"], path: "Tests/CommandSupport",
            swiftSettings: strict),
        .target(name: "TestRounds", path: "Tests/Rounds", swiftSettings: strict),
        .target(name: "ProcessSupport", path: "Tests/ProcessSupport", swiftSettings: strict),
        .target(
            name: "HostileTexts", path: "Tests/HostileTexts", exclude: ["texts.json"], swiftSettings: strict),
        .target(
            name: "ReceiptSupport", dependencies: ["GateModel", asn1, crypto, x509], path: "Tests/ReceiptSupport",
            swiftSettings: strict),
        .testTarget(name: "GateModelTests", dependencies: ["GateModel"], swiftSettings: strict),
        .testTarget(
            name: "GateExpressionsTests", dependencies: ["GateModel", "GateForms", "GateExpressions"],
            swiftSettings: strict),
        .testTarget(name: "GateFormsTests", dependencies: ["GateModel", "GateForms", crypto], swiftSettings: strict),
        .testTarget(
            name: "GateCoreTests",
            dependencies: [
                "CommandSupport", "GateModel", "GateForms", "GateCore", "GatePolicy", "GateScripting", "TestRounds",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GatePolicyTests", dependencies: ["GateModel", "GateForms", "GatePolicy"], swiftSettings: strict),
        .testTarget(name: "GateTextsTests", dependencies: ["GateModel", "GateTexts"], swiftSettings: strict),
        .testTarget(
            name: "GateCredentialsTests", dependencies: ["GateModel", "GateCredentials"], swiftSettings: strict),
        .testTarget(
            name: "GateReceiptsTests",
            dependencies: ["GateModel", "GateReceipts", "GateStoreKit", "ReceiptSupport", asn1, crypto, x509],
            swiftSettings: strict),
        .testTarget(
            name: "GateGuardiansTests", dependencies: ["GateGuardians", "GateModel"], swiftSettings: strict),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: strict),
        .testTarget(
            name: "GateStoreTests",
            dependencies: ["GateModel", "GateForms", "GateCore", "GateGuardians", "GateStore", "SQLite"],
            swiftSettings: strict),
        .testTarget(
            name: "ProtobufScanTests", dependencies: ["ProtobufScan", "CProtobufC", "CTTRPC"], swiftSettings: strict),
        .testTarget(name: "TTRPCTests", dependencies: ["ProtobufScan", "TTRPC"], swiftSettings: strict),
        .testTarget(
            name: "TTRPCTransportTests",
            dependencies: ["Epoll", "TTRPCTransport", "TTRPC", "ProcessSupport", nioEmbedded] + nio,
            swiftSettings: strict),
        .testTarget(
            name: "GateProtocolTests",
            dependencies: ["GateModel", "GateProtocol", "CGateProtocol", "GateScripting", "TestRounds"],
            swiftSettings: strict),
        .testTarget(
            name: "GateDaemonTests",
            dependencies: [
                "CommandSupport", "GateModel", "GateCore", "GatePolicy", "GateCredentials", "GateGuardians",
                "GateReceipts", "GateStore", "GateDaemon", "GateProtocol", "Epoll", "TTRPC", "TTRPCTransport",
                "GateScripting", "ProcessSupport", "ProtobufScan", "CTimerFD",
                "CGateStatus", "CGateProtocol", crypto, logging,
            ] + nio,
            swiftSettings: strict),
        .target(name: "FaultyDisk", path: "Tests/FaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(name: "page-owner", dependencies: ["CGateStatus", "CStatusPage"], path: "Tests/PageOwner"),
        .target(
            name: "PageReaders", dependencies: ["CGateStatus", "CStatusPage"], path: "Tests/PageReaders"),
        .testTarget(
            name: "StatusPageTests",
            dependencies: ["CGateStatus", "CStatusPage", "PageReaders", "ProcessSupport", "TestRounds"],
            swiftSettings: strict),
        .testTarget(name: "SystemdServiceTests", dependencies: ["SystemdService", logging], swiftSettings: strict),
        .testTarget(
            name: "GateClientTests",
            dependencies: [
                "Epoll", "GateClient", "GateClientRaw", "GateForms", "GateModel", "GateProtocol", "TTRPCTransport",
                "TTRPC",
            ] + nio,
            swiftSettings: strict),
        .testTarget(
            name: "GateClientTestingTests",
            dependencies: ["GateClient", "GateClientTesting"], swiftSettings: strict),
        .target(
            name: "RevenueCatSupport", dependencies: ["GateModel", crypto] + flyingFox, path: "Tests/RevenueCatSupport",
            swiftSettings: strict),
        .testTarget(
            name: "GateRevenueCatTests",
            dependencies: [
                "RevenueCatSupport", "gate-revenuecat", "GateModel", "GateProtocol", "GateReceipts", "GateClient",
                crypto, logging,
            ] + flyingFox,
            swiftSettings: strict),
        .testTarget(
            name: "GateHouseholdTests",
            dependencies: [
                "GateClient", "GateHousehold", "GateGuardians", "GateModel", "GatePolicy", "ProcessSupport",
                "gate-household",
                "gated",
                "gatectl", asn1, crypto, logging, x509,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GatectlTests",
            dependencies: [
                "gatectl", "CProcess", "GateClient", "GateCore", "GateForms", "GateModel", "GatePolicy", "GateProtocol",
                "GateScreens", "GateTexts", "HostileTexts", "ProcessSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GateScreensTests",
            dependencies: ["GateScreens", "GateClient", "GateModel", "GateTexts", "HostileTexts"],
            swiftSettings: strict),
        .testTarget(
            name: "ScriptTests",
            dependencies: [
                "GateModel", "GateForms", "GateCore", "GateGuardians", "GateScripting", "ProcessSupport",
                "ReceiptSupport",
                "gated-scripted",
                "gatectl",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "GateModel", "ProcessSupport", "ReceiptSupport", "RevenueCatSupport", "gated", "gatectl",
                "gate-revenuecat", "CGateStatus", "page-owner", "SQLite", "TestRounds",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "CommandSupport", "FaultyDisk", "GateDaemon", "GateClient", "GateCore", "GateForms", "GateGuardians",
                "GateHousehold", "GateModel",
                "GatePolicy", "GateProtocol",
                "GateScripting", "GateStore", "TestRounds", "TTRPC", "TTRPCTransport",
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio,
            swiftSettings: strict),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "GateModel", "GateExpressions", "GateForms", "GateCore", "GatePolicy", "GateReceipts", "GateStoreKit",
                "GateProtocol", "TTRPC",
                "CProtobufC", "ProtobufScan", "CGateStatus", "CStatusPage", "GateScripting", "ReceiptSupport", crypto,
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: strict),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["FuzzTargets", "GateProtocol", "GateScripting", "TestRounds"],
            swiftSettings: strict),
        .testTarget(name: "RepositoryTests", dependencies: ["GateModel"], swiftSettings: strict),
    ]
)

// This target has no main function of its own: libFuzzer has one, so only `make fuzz`, which builds with libFuzzer, can
// link it.
if Context.environment["GATE_FUZZ"] != nil {
    package.targets += [
        .target(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "gate-fuzz", dependencies: ["CLibFuzzer", "FuzzTargets", "GateScripting"], path: "Tests/Fuzz/Fuzzer",
            swiftSettings: strict),
    ]
}

// Windows need GTK, which a device without a screen does not have: only builds that ask for them need its headers.
if Context.environment["GATE_SCREENS"] != nil {
    package.products.append(.executable(name: "gate-presenter", targets: ["gate-presenter"]))
    package.products.append(.executable(name: "gate-settings", targets: ["gate-settings"]))
    package.targets += [
        .systemLibrary(name: "CGTK", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        .target(name: "CSwiftJobs"),
        .target(
            name: "GateWindows", dependencies: ["GateModel", "CGTK", "CSwiftJobs", "CTimerFD"],
            resources: [.embedInCode("Resources")],
            swiftSettings: strict),
        .executableTarget(
            name: "gate-presenter",
            dependencies: [
                "GateModel", "GateForms", "GateCore", "GateTexts", "GateClient", "GateScreens", "GateWindows", "CGTK",
                argumentParser,
            ],
            resources: [.embedInCode("Screens")], swiftSettings: strict, linkerSettings: lean),
        .executableTarget(
            name: "gate-settings",
            dependencies: [
                "GateModel", "GateCore", "GatePolicy", "GateTexts", "GateClient", "GateScreens", "GateWindows", "CGTK",
                argumentParser,
            ],
            resources: [.embedInCode("Screens")], swiftSettings: strict, linkerSettings: lean),
    ]
}

// Only `make docs` writes web pages: apps and other builds have no use for the plugin.
if Context.environment["GATE_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

for target in package.targets {
    guard let storey = storeys.first(where: { $0.targets.contains(target.name) }) else { continue }
    target.path = "Sources/\(storey.folder)/\(target.name)"
}

// swift-tools-version: 6.2
import PackageDescription

// An app of its own, as an app author would write it: only what Gate's package offers to everybody. It uses packages that Gate
// uses too, and asks for older versions of them than Gate does; SwiftPM finds one that serves both.
let package = Package(
    name: "star-map",
    dependencies: [
        .package(name: "gate", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
    targets: [
        .target(
            name: "StarMap",
            dependencies: [
                .product(name: "GateClient", package: "gate"), .product(name: "NIOCore", package: "swift-nio"),
            ]),
        .executableTarget(
            name: "star-map",
            dependencies: [
                "StarMap", .product(name: "GateClient", package: "gate"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "StarMapTests",
            dependencies: [
                "StarMap", .product(name: "GateClientTesting", package: "gate"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
    ]
)

// swift-tools-version: 6.2
import PackageDescription

// A panel written in C loads a lamp written in Swift, which shows the mode. GateClient is inside the lamp's shared library.
let package = Package(
    name: "panel",
    products: [
        .library(name: "GateLamp", type: .dynamic, targets: ["GateLamp"])
    ],
    dependencies: [
        .package(name: "gate", path: "../..")
    ],
    targets: [
        .target(name: "GateLamp", dependencies: [.product(name: "GateClient", package: "gate")]),
        .executableTarget(name: "panel"),
    ]
)

/// The version that the programs of this package report.
package enum Release {
    package static let version = "0.1.0"
}

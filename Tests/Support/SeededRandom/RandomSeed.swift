import Foundation

/// The seed of the tests with random input.
///
/// `make test` uses the same seed in each run, so that a change is tested by the same cases as the commit before it.
/// `make test-random` sets another in `BELFRY_SEED` and prints it. A test that fails names the seed that repeats it.
public enum RandomSeed {
    public static let current = ProcessInfo.processInfo.environment["BELFRY_SEED"].flatMap(UInt64.init) ?? 20_261_122
}

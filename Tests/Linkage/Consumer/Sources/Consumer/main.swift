import Belfry
import BelfryRecorder

print(rec)

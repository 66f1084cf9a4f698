from benchmarks.cases import ENGINE
from benchmarks.measuring import run
c=next(c for c in ENGINE if c.key=='D9'); print(str(run(c,'ours',300))[:300])

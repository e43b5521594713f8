"""The same loop by mini-swe-agent, in an environment of its own. `python mini.py URL TURNS RUNS FOLDER`."""

import json
import resource
import sys

from cpu import Clock  # type: ignore[import-not-found] # beside this file: the environment knows nothing of ours
from minisweagent.agents.default import DefaultAgent  # type: ignore[import-not-found]
from minisweagent.environments.local import LocalEnvironment  # type: ignore[import-not-found]
from minisweagent.models.litellm_model import LitellmModel  # type: ignore[import-not-found]

_TEXTS = {
    "system_template": "You work with commands.",
    "instance_template": "{{task}}",
}


def main(url: str, turns: int, folder: str) -> None:
    settings = {"api_base": f"{url}/v1", "api_key": "k"}
    model = LitellmModel(model_name="openai/m", model_kwargs=settings, cost_tracking="ignore_errors")
    agent = DefaultAgent(model, LocalEnvironment(cwd=folder), **_TEXTS, step_limit=turns, cost_limit=0)
    clock = Clock()
    begun = clock.now()
    agent.run("Fix price.py")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": clock.now() - begun, "peak": peak, "exact": clock.exact}))
    clock.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[4])

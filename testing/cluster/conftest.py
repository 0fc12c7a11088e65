import pytest

from testing.cluster.ray_nodes import Nodes


@pytest.fixture(scope="session")
def nodes():
    """A cluster of two nodes with one core each; main.py runs on the first."""
    with Nodes(cpus=1) as made:
        made.add(cpus=1)
        yield made

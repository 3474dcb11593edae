import numpy as np

from core.matching.poses import BothViews


def test_embeddings_of_poses_are_put_together_when_asked_for():
    rng = np.random.default_rng(0)
    views = [rng.normal(0, 1, (3, 7, 2)).astype(np.float32) for _ in range(4)]
    edge = BothViews((views[0], views[1]), (views[2], views[3]))
    whole = np.concatenate(
        [np.concatenate([one, other[:, ::-1]], axis=2) for one, other in ((views[0], views[1]), (views[2], views[3]))]
    )
    assert (len(edge), edge.shape) == (6, whole.shape)
    for poses in (slice(None), slice(0, 2), slice(2, 5), slice(4, 6), np.array([5, 0, 3])):
        np.testing.assert_array_equal(edge[poses], whole[poses])

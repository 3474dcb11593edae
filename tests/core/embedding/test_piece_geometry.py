"""What the encoder of pieces takes."""

from core.embedding.piece_encoder import build_model
from core.embedding.piece_geometry import DEPTH_PX, STRIDE_PX


def test_the_networks_take_such_borders():
    model = build_model(4)
    assert {tensor.shape[2] for tensor in model.inputs} == {DEPTH_PX}
    convolutions = [layer for layer in model.layers if layer.name.startswith("right_conv")]
    product = 1
    for layer in convolutions:
        product *= layer.strides[0]
    assert product == STRIDE_PX

import pytest

from core.embedding.geometry import kernel_rows, n_embedding_rows, receptive_rows, rows_to_middle


def test_a_sample_of_the_paper_fills_seven_rows():
    assert kernel_rows() == 7
    assert receptive_rows() == 47
    assert n_embedding_rows(3000) == 743


@pytest.mark.parametrize(("sample_height_px", "rows"), [(8, 1), (32, 7), (64, 15), (128, 31), (256, 63)])
def test_a_border_as_high_as_a_sample_has_one_embedding(sample_height_px, rows):
    assert kernel_rows(sample_height_px) == rows
    assert n_embedding_rows(sample_height_px, sample_height_px) == 1
    assert n_embedding_rows(sample_height_px + 4, sample_height_px) == 2


@pytest.mark.parametrize(("sample_height_px", "rows"), [(32, 0), (40, 1), (96, 8)])
def test_the_sample_in_the_middle_of_a_higher_one(sample_height_px, rows):
    assert rows_to_middle(sample_height_px) == rows


@pytest.mark.parametrize("sample_height_px", [0, 4, 34])
def test_other_heights_are_refused(sample_height_px):
    with pytest.raises(ValueError, match="multiple of 4"):
        kernel_rows(sample_height_px)

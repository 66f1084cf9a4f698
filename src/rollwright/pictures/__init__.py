"""Pictures of odds: bars, curves and heat maps for the terminal, and as SVG, HTML and PNG."""

from rollwright.pictures.charts import Bars, Grid, Lines, Picture, Series
from rollwright.pictures.distributions import compared, distribution, pictured
from rollwright.pictures.files import SUFFIXES, Figure, rendered, save
from rollwright.pictures.svg import svg

__all__ = [
    "Bars",
    "Figure",
    "Grid",
    "Lines",
    "Picture",
    "SUFFIXES",
    "Series",
    "compared",
    "distribution",
    "pictured",
    "rendered",
    "save",
    "svg",
]

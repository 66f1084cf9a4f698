"""Pictures of odds: bars, curves and heat maps for the terminal, and as SVG, HTML and PNG."""

from rollwright.pictures.charts import Bars, HeatMap, Lines, Picture, Series
from rollwright.pictures.distributions import distribution, picture_comparison, picture_distribution
from rollwright.pictures.files import SUFFIXES, Figure, render, save
from rollwright.pictures.svg import svg

__all__ = [
    "Bars",
    "Figure",
    "HeatMap",
    "Lines",
    "Picture",
    "SUFFIXES",
    "Series",
    "picture_comparison",
    "distribution",
    "picture_distribution",
    "render",
    "save",
    "svg",
]

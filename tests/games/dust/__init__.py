"""A Thousand Miles of Dust, tested."""

"""The table server: storage, HTTP and sockets around `rollwright.table`."""

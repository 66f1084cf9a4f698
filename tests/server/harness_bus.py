"""Everything that processes tell each other over Redis, heard by somebody who listens in."""

import threading

import redis


class Bus:
    """Everything that goes over Redis: every command, and every message on every channel."""

    def __init__(self, server):
        self.heard = []
        self._redis = redis.Redis(port=server.port, socket_timeout=None)
        self._pubsub = self._redis.pubsub()
        self._pubsub.psubscribe("*")
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=listen) for listen in (self._commands, self._messages)
        ]
        for thread in self._threads:
            thread.start()

    def _commands(self):
        with self._redis.monitor() as monitor:
            for command in monitor.listen():
                self.heard.append(("bus", str(command)))
                if self._ended.is_set():
                    return

    def _messages(self):
        while not self._ended.is_set():
            message = self._pubsub.get_message(timeout=0.05)
            if message is not None:
                self.heard.append(("bus", str(message)))

    def close(self):
        """Stop listening."""
        self._ended.set()
        while self._threads[0].is_alive():
            self._redis.ping()
        for thread in self._threads:
            thread.join()
        self._pubsub.close()
        self._redis.close()

"""hashlib and signal by the C modules behind them: OpenSSL and enum would cost 7 ms of a sandbox's start."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    import signal
else:
    try:
        import _blake2 as hashlib
        import _signal as signal
    except ImportError:
        import hashlib
        import signal

__all__ = ["hashlib", "signal"]
